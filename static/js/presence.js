// Whether somebody is in front of the page: time spent on the item without breaks, signs of life, and an item about to go back.

import { signInAgain } from "./session.js";

const BEAT = 30_000;
const form = () => document.querySelector("form[data-answer]");
const time = () => form()?.elements.active_seconds;

let lastSign = Date.now(); // of the person
let lastTick = Date.now();
let lastBeat = Date.now();
let moved = true; // since the last beat

for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "input"]) {
  document.addEventListener(kind, sign, { capture: true, passive: true });
}
document.addEventListener("visibilitychange", tick);
document.addEventListener("htmx:afterSwap", (event) => event.target.id === "work" && arrive());
document.addEventListener("DOMContentLoaded", arrive);
setInterval(tick, 1000);

function arrive() {
  lastTick = lastBeat = lastSign = Date.now();
  moved = true;
  if (time() && !time().value) time().value = "0";
  showExpiry();
}

function sign() {
  tick();
  lastSign = Date.now();
  moved = true;
}

// Time counts while the page is seen and the last sign of the person is not older than a break.
function tick() {
  const now = Date.now();
  const idle = 1000 * Number(form()?.dataset.idle ?? 60);
  const until = Math.min(now, lastSign + idle);
  if (!document.hidden && time() && until > lastTick) time().value = (Number(time().value) + (until - lastTick) / 1000).toFixed(3);
  lastTick = now;
  showExpiry();
  if (!document.hidden && now - lastBeat >= BEAT) beat();
}

async function beat(active = moved) {
  const answer = form();
  if (!answer?.dataset.beat) return;
  lastBeat = Date.now();
  moved = false;
  const body = new FormData();
  body.set("csrfmiddlewaretoken", answer.elements.csrfmiddlewaretoken.value);
  if (active) body.set("active", "1");
  try {
    const response = await fetch(answer.dataset.beat, { method: "POST", body, redirect: "manual" });
    if (response.status === 401) return signInAgain(() => beat(true));
    if (!response.ok || !answer.isConnected) return;
    const { kept, expires } = await response.json();
    answer.dataset.expires = kept ? expires : "";
  } catch {
    // No connection: the next beat tries again, and drafts say that they are not saved.
  }
  showExpiry();
}

document.addEventListener("submit", (event) => {
  if (!event.target.closest("form[data-extend]")) return;
  event.preventDefault();
  beat(true);
});

// An item is about to go back when five minutes are left, or half of a shorter time.
function showExpiry() {
  const answer = form();
  const notice = document.querySelector("form[data-extend]");
  if (!notice || !answer || answer.dataset.expires === undefined) return;
  const left = answer.dataset.expires ? new Date(answer.dataset.expires) - Date.now() : 0;
  const soon = Math.min(300_000, 30_000 * Number(answer.dataset.minutes));
  notice.classList.toggle("due", left < soon);
  notice.querySelector("button").hidden = !answer.dataset.expires;
  if (left >= soon) return;
  const minutes = Math.ceil(left / 60_000);
  notice.querySelector("[data-left]").textContent =
    left > 0
      ? `This item goes back to the others in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`
      : "The time for this item is over. If you answer it all the same, your answer is stored, and it counts unless others were quicker.";
}
