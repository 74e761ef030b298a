// "Copy the link" next to what is to be copied: a field, or a text such as a completion code.

reveal();
document.addEventListener("htmx:afterSwap", reveal);
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const copied = document.getElementById(button.dataset.copy);
  copied.select?.();
  await navigator.clipboard.writeText(copied.value ?? copied.textContent);
  button.textContent = "Copied";
});

function reveal() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}
