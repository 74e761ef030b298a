// Signed out meanwhile: the page greys out, and signing in happens in place, so that nothing on it is lost.

let waiting = null;

const dialog = () => document.querySelector("dialog#sign-in");
const problem = (text) => {
  const notice = dialog().querySelector("[data-problem]");
  notice.textContent = text;
  notice.hidden = !text;
};

// What was tried is tried again once the person is back.
export function signInAgain(retry) {
  waiting = retry;
  if (dialog().open) return;
  problem("");
  document.querySelector("#work").classList.add("away");
  dialog().showModal();
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-sign-in]");
  if (!form) return;
  event.preventDefault();
  problem("");
  form.querySelector("button[type=submit]").disabled = true;
  await arrive(() => fetch(form.action, { method: "POST", body: new FormData(form) }));
  form.querySelector("button[type=submit]").disabled = false;
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-signed-in]")) return;
  const work = dialog().querySelector("input[name=next]").value;
  arrive(() => fetch(work, { headers: { Accept: "text/html" } }));
});

// Whoever is signed in gets the work page back; it also brings the token that forms need from now on.
async function arrive(ask) {
  let page;
  try {
    const response = await ask();
    page = new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return problem("No connection. Try again in a moment.");
  }
  const work = page.querySelector("#work");
  if (!work) {
    return problem(page.querySelector("input[name=password]") ? "This name and password do not go together." : "You are still signed out.");
  }
  if (work.dataset.annotator !== document.querySelector("#work").dataset.annotator) return location.reload();
  const token = page.querySelector("input[name=csrfmiddlewaretoken]").value;
  for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = token;
  dialog().querySelector("input[type=password]").value = "";
  document.querySelector("#work").classList.remove("away");
  dialog().close();
  const retry = waiting;
  waiting = null;
  retry?.();
}

// Esc leaves the grey page as it is; what comes next asks again.
document.addEventListener("close", (event) => event.target.id === "sign-in" && document.querySelector("#work").classList.remove("away"), true);
