// Keeps what was chosen: on the server after each change, and in this tab until the server has it.

import { signInAgain } from "./session.js";

const form = () => document.querySelector("form[data-answer][data-draft]");
const key = (answer) => `draft ${answer.dataset.draft}`;
const notHere = "csrfmiddlewaretoken, active_seconds, replaces".split(", "); // not chosen by anybody
let waiting = null;
let saving = false;
let unsent = null; // the form of which somebody was told that it was not sent: that a draft is saved takes nothing back

document.addEventListener("DOMContentLoaded", restore);
document.addEventListener("htmx:afterSwap", (event) => event.target.id === "work" && restore());
document.addEventListener("change", (event) => changed(event, 0));
document.addEventListener("input", (event) => event.target.matches("textarea") && changed(event, 700));

function changed(event, after) {
  const answer = event.target.form;
  if (!answer?.matches("form[data-draft]")) return;
  sessionStorage.setItem(key(answer), JSON.stringify(chosen(answer)));
  clearTimeout(waiting);
  if (after) waiting = setTimeout(() => save(answer, 1), after);
  else save(answer, 1);
}

// Sending. The next item comes with the server's answer, so whatever fails leaves this one as it is.
const sends = (target) => target.matches("form[data-answer], form[data-sends]");
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!sends(event.target)) return;
  clearTimeout(waiting);
  unsent = null;
  say("Sending…");
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.matches("form[data-draft]") && event.detail.successful) sessionStorage.removeItem(key(event.target));
});
document.addEventListener("htmx:sendError", (event) => failed(event, "Not sent: no connection. What you entered is still here; send it again."));
document.addEventListener("htmx:timeout", (event) => failed(event, "Not sent: no answer from the server. What you entered is still here; send it again."));
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status === 401 && sends(event.target)) {
    say("Not sent");
    return signInAgain(() => event.target.requestSubmit(event.target.querySelector("button[type=submit]")));
  }
  if (status === 403) return failed(event, "Not sent: this page is out of date. What you chose is kept here.", "Load it again");
  if (status === 404) return failed(event, "Not sent: this item is not yours any more, for instance because you have withdrawn in another tab.", "See where you are");
  failed(event, "Not sent: the server had a problem. What you entered is still here; send it again.");
});

function failed(event, message, reload) {
  if (!sends(event.target)) return;
  say("Not sent");
  unsent = event.target;
  show(event.target, message, reload);
}

// One request at a time: of two on their way together, the older might arrive last and be what is kept.
async function save(answer, attempt) {
  clearTimeout(waiting);
  if (saving) return;
  const state = JSON.stringify(chosen(answer));
  saving = true;
  const status = await post(answer);
  saving = false;
  if (!answer.isConnected) return restore(); // the next item is here; what was chosen there has waited
  if (state !== JSON.stringify(chosen(answer))) {
    save(answer, 1);
  } else if (status === 204) {
    sessionStorage.removeItem(key(answer));
    if (unsent !== answer) answer.querySelector("[data-problem]").hidden = true;
    say(`Saved ${new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`);
  } else if (status === 401) {
    say("Not saved");
    signInAgain(() => save(answer, 1));
  } else if (status === 403) {
    say("Not saved");
    show(answer, "Not saved: this page is out of date. What you chose is kept here.", "Load it again");
  } else {
    say("Not saved, retrying");
    waiting = setTimeout(() => save(answer, attempt + 1), Math.min(1000 * 2 ** attempt, 30000));
  }
}

async function post(answer) {
  try {
    return (await fetch(answer.dataset.draft, { method: "POST", body: new FormData(answer), redirect: "manual" })).status;
  } catch {
    return 0; // no connection
  }
}

// What the server did not get before the page went away, for instance because the session had ended.
function restore() {
  const answer = form();
  const kept = answer && sessionStorage.getItem(key(answer));
  if (!kept) return;
  const values = JSON.parse(kept);
  for (const field of answer.elements) {
    const value = values[field.name];
    if (field.type === "radio" || field.type === "checkbox") field.checked = (value ?? []).includes(field.value);
    else if (field.matches("textarea")) field.value = value?.[0] ?? "";
  }
  save(answer, 1);
}

// Name → what is chosen, as a list: words are marked by several boxes of one name.
function chosen(answer) {
  const values = {};
  for (const [name, value] of new FormData(answer)) if (!notHere.includes(name)) (values[name] ??= []).push(value);
  return values;
}

function say(text) {
  const status = document.querySelector("#saved");
  if (status) status.textContent = text;
}

function show(answer, text, reload) {
  const notice = answer.querySelector("[data-problem]");
  notice.textContent = text + " ";
  if (reload) {
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = reload;
    notice.append(link);
  }
  notice.hidden = false;
}
