// A new campaign's name follows its title until somebody types a name.

const title = document.getElementById("id_title");
const name = document.getElementById("id_name");
let typed = name.value !== "";

name.addEventListener("input", () => {
  typed = name.value !== "";
});
title.addEventListener("input", () => {
  if (!typed) name.value = named(title.value);
});

// As the server makes it of the title when the field is sent empty.
function named(text) {
  const plain = text.normalize("NFKD").replace(/[^\w\s-]/g, "").toLowerCase();
  return plain.trim().replace(/[-\s]+/g, "-").replace(/^[-_]+/, "").slice(0, 70).replace(/[-_]+$/, "");
}
