// Keys of the annotate page. Every key does what a visible control does; the key is printed on it.

const typing = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";
const form = () => document.querySelector("form[data-answer]");
const button = () => form().querySelector("button[type=submit]");
const dialog = () => document.querySelector("dialog#guidelines");

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (!form() || event.target.closest(typing) || document.querySelector("dialog[open]")) return;
  if (button().disabled) return; // being sent
  if (/^[0-9]$/.test(event.key)) choose(event);
  else if (event.key === "Enter") submit(event);
  else if (event.key === "d") document.querySelector("[data-toggle-differences]")?.click();
  else if (event.key === "?") openGuidelines(event);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toggle-differences]")) toggleDifferences();
  if (event.target.closest("[data-guidelines]") && dialog()) openGuidelines(event);
  // A click on an answer moves on as a digit does. Arrow keys click too, without a detail: they stay.
  const label = event.target.closest("[data-group=label] label");
  if (label && event.detail > 0) setTimeout(moveOn);
});

document.addEventListener("DOMContentLoaded", reveal);
// At once after the swap: later, the first keys for the new item would lose the focus that they had set.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "work") return;
  reveal();
  if (form()?.querySelector("[data-problem]:not([hidden])")) return;
  document.querySelector("#work h1")?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
});

// Digits answer the question that has the focus: the label first, then the confidence.
function choose(event) {
  const confidence = form().querySelector("[data-group=confidence]");
  const group = confidence?.contains(document.activeElement) ? confidence : form().querySelector("[data-group=label]");
  const input = group.querySelector(`input[data-key="${event.key}"]`);
  if (!input) return;
  event.preventDefault();
  input.focus();
  if (!input.checked) input.click();
  if (group !== confidence) moveOn();
}

function moveOn() {
  const confidence = form()?.querySelector("[data-group=confidence]");
  const next = confidence && (confidence.querySelector(":checked") ?? confidence.querySelector("input"));
  next?.focus();
}

function submit(event) {
  if (event.target.closest("a, button, summary")) return;
  event.preventDefault();
  form().requestSubmit(button());
}

// Stays as chosen from item to item.
function toggleDifferences() {
  sessionStorage.setItem("differences", sessionStorage.getItem("differences") === "hidden" ? "shown" : "hidden");
  applyDifferences();
}

function applyDifferences() {
  const name = document.querySelector("[data-toggle-name]");
  if (!name) return;
  const hidden = sessionStorage.getItem("differences") === "hidden";
  document.querySelector("[data-texts]").classList.toggle("plain", hidden);
  name.textContent = hidden ? "Show differences" : "Hide differences";
}

function openGuidelines(event) {
  event.preventDefault();
  dialog().showModal();
}

// Controls that need this script are in the page but hidden until it runs.
function reveal() {
  for (const control of document.querySelectorAll("[data-needs-script]")) control.hidden = false;
  applyDifferences();
}
