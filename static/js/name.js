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

// Letters that are no letter from a to z with an accent, which is what NFKD takes apart.
const letters = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", þ: "th", ı: "i" };

// As the server makes it of the title when the field is sent empty.
function named(text) {
  const spelled = text.replace(/[łøđßæœþıŁØĐẞÆŒÞ]/g, (letter) => letters[letter.toLowerCase()]);
  const plain = spelled.normalize("NFKD").replace(/[^\w\s-]/g, "").toLowerCase();
  return plain.trim().replace(/[-\s]+/g, "-").replace(/^[-_]+/, "").slice(0, 70).replace(/[-_]+$/, "");
}
