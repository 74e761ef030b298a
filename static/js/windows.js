// Windows over the work page: guidelines, skip, flag. They stay while items come and go; a form in one goes where its opener points.

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  const dialog = opener && document.getElementById(opener.dataset.opens);
  if (dialog && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open(dialog, opener.href);
  }
  if (event.target.closest("[data-closes]")) event.target.closest("dialog").close();
});

function open(dialog, address) {
  const form = dialog.querySelector("form[data-sends]");
  if (form && form.action !== address) {
    form.reset(); // what was entered belongs to another item
    form.action = address;
    form.querySelector("[data-problem]").hidden = true;
  }
  dialog.showModal();
  dialog.querySelector("h2[tabindex]")?.focus(); // its top; elsewhere the first field has the focus
}

document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.matches("dialog form")) event.detail.path = event.target.action;
});

// Before, not after: beneath an open window nothing can take the focus.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id !== "work" || !event.detail.shouldSwap) return;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
});
