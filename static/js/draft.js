// Keeps what was chosen: on the server after each change, and in this tab until the server has it.

const form = () => document.querySelector("form[data-answer]");
const key = (form) => `draft ${form.dataset.draft}`;
let waiting = null;
let saving = false;

document.addEventListener("DOMContentLoaded", restore);
document.addEventListener("htmx:afterSwap", (event) => event.target.id === "work" && restore());
document.addEventListener("change", (event) => {
  const answer = event.target.closest("form[data-answer]");
  if (!answer) return;
  sessionStorage.setItem(key(answer), JSON.stringify(chosen(answer)));
  save(answer, 1);
});

// Sending. The next item comes with the server's answer, so whatever fails leaves this one as it is.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.matches("form[data-answer]")) return;
  clearTimeout(waiting);
  say("Sending…");
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.matches("form[data-answer]") && event.detail.successful) sessionStorage.removeItem(key(event.target));
});
document.addEventListener("htmx:sendError", (event) => failed(event, "Not sent: no connection. Your answer is still here; send it again."));
document.addEventListener("htmx:timeout", (event) => failed(event, "Not sent: no answer from the server. Your answer is still here; send it again."));
document.addEventListener("htmx:responseError", (event) => {
  const way = waysBack[event.detail.xhr.status];
  failed(event, way ? `Not sent: ${way.why}` : "Not sent: the server had a problem. Your answer is still here; send it again.", way);
});

const waysBack = {
  401: { why: "you are signed out. Sign in again; what you chose is kept here.", link: "Sign in", to: (answer) => answer.dataset.signIn },
  403: { why: "this page is out of date. Load it again; what you chose is kept here.", link: "Load it again", to: () => location.href },
};

function failed(event, message, way) {
  if (!event.target.matches("form[data-answer]")) return;
  say("Not sent");
  show(event.target, message, way);
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
    answer.querySelector("[data-problem]").hidden = true;
    say(`Saved ${new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`);
  } else if (status in waysBack) {
    say("Not saved");
    show(answer, `Not saved: ${waysBack[status].why}`, waysBack[status]);
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
  for (const [name, value] of Object.entries(JSON.parse(kept))) {
    const input = answer.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
    if (input) input.checked = true;
  }
  save(answer, 1);
}

function chosen(answer) {
  const values = Object.fromEntries(new FormData(answer));
  delete values.csrfmiddlewaretoken;
  return values;
}

function say(text) {
  const status = document.querySelector("#saved");
  if (status) status.textContent = text;
}

function show(answer, text, way) {
  const notice = answer.querySelector("[data-problem]");
  notice.textContent = text + " ";
  if (way) {
    const link = document.createElement("a");
    link.href = way.to(answer);
    link.textContent = way.link;
    notice.append(link);
  }
  notice.hidden = false;
}
