// Keys of the annotate page. Every key does what a visible control does; the key is printed on it.

const typing = "input:not([type=radio]):not([type=checkbox]):not([type=hidden]), textarea, select, [contenteditable]";
// A window that was closed a moment ago may still have the focus; nothing can be meant for it.
const at = (event, what) => event.target.closest(what) && !event.target.closest("dialog:not([open])");
const form = () => document.querySelector("form[data-answer]");
const button = (form) => form?.querySelector("button[type=submit]");

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "Enter" && event.ctrlKey && event.target.closest("textarea")) return send(event, event.target.form);
  if (document.querySelector("dialog[open]")) return;
  if (button(form())?.disabled) return; // being sent
  if (event.key === "Enter") return submit(event);
  if (event.ctrlKey || at(event, typing)) return;
  if (choose(event)) return;
  const control = [...document.querySelectorAll("[data-hotkey]")].find((each) => each.dataset.hotkey === event.key && !each.hidden);
  if (!control) return;
  event.preventDefault();
  control.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toggle-differences]")) toggleDifferences();
  if (event.target.closest("[data-back]")) backToAnswers();
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

// Digits answer the question that has the focus, which is framed: the label first, then the confidence. A label's letter always means the label.
function choose(event) {
  const answer = form();
  if (!answer) return false;
  const confidence = answer.querySelector("[data-group=confidence]");
  const label = answer.querySelector("[data-group=label]");
  const atConfidence = confidence && (!label || confidence.contains(document.activeElement));
  const input = keyed(atConfidence ? confidence : label, event.key) ?? (/^[0-9]$/.test(event.key) ? null : keyed(label, event.key));
  if (!input) return false;
  event.preventDefault();
  input.focus();
  if (!input.checked) input.click();
  if (label?.contains(input)) moveOn();
  return true;
}

function keyed(group, key) {
  return group?.querySelector(`input[data-key="${CSS.escape(key)}"], input[data-key="${CSS.escape(key.toLowerCase())}"]`) ?? null;
}

function moveOn() {
  const confidence = form()?.querySelector("[data-group=confidence]");
  const next = confidence && (confidence.querySelector(":checked") ?? confidence.querySelector("input"));
  next?.focus();
}

// The digits mean the answers again; what was chosen stays until another is.
function backToAnswers() {
  const label = form()?.querySelector("[data-group=label]");
  (label?.querySelector(":checked") ?? label?.querySelector("input"))?.focus();
}

// Enter sends, unless the focus is on something that Enter itself works. In a text it is Ctrl and Enter, and sends the text's own form.
function submit(event) {
  if (at(event, `a, button, summary, ${typing}`)) return;
  const next = document.querySelector("[data-next]");
  if (form()) return send(event, form());
  if (!next) return;
  event.preventDefault();
  next.click();
}

function send(event, sent) {
  event.preventDefault();
  if (!button(sent).disabled) sent.requestSubmit(button(sent));
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

// Controls that need this script are in the page but hidden until it runs.
function reveal() {
  for (const control of document.querySelectorAll("[data-needs-script]")) control.hidden = false;
  applyDifferences();
}
