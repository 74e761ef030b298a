// A form that is sent twice by a double click would do twice what it does: make two campaigns, start two attacks.

const AGAIN_AFTER = 5000; // milliseconds; a form that brings a file leaves its page where it is
const sent = new WeakMap();

// On the window, after all that send forms in their own way: those have prevented this one.
window.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (Date.now() - (sent.get(event.target) ?? -AGAIN_AFTER) < AGAIN_AFTER) return event.preventDefault();
  sent.set(event.target, Date.now());
});
