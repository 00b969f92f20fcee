import { forgetToken, onTokenChanged, rememberToken, storedToken } from "./account.js";
import { preload } from "./preload.js";
import { signInView } from "./sign-in.js";
import { element } from "./ui/dom.js";
import { loadWords, phrase, translateDocument } from "./ui/words.js";

const root = document.getElementById("root");
let shell = null;
/** The number of calls of `show`: an earlier one ends when a later one has begun. */
let calls = 0;

/** The code of the invite link that the page was opened with; null at any other address. */
function inviteInAddress() {
  return /^#\/join\/([^/?#]+)/.exec(location.hash)?.[1] ?? null;
}

async function show({ notice } = {}) {
  const call = ++calls;
  shell?.close();
  shell = null;
  const token = storedToken();
  if (token === null) {
    const onSignedIn = (fresh) => {
      rememberToken(fresh);
      show();
    };
    root.replaceChildren(signInView({ invite: inviteInAddress(), onSignedIn, onSubmit: () => void loadShell(), notice }));
    return;
  }
  root.replaceChildren(skeleton());
  // Modules that only a logged-in user needs load here, while the device is looked up.
  let loaded;
  try {
    loaded = await Promise.all([loadShell(), import("./shell/device.js").then(({ device }) => device())]);
  } catch (error) {
    console.error(error);
  }
  if (call !== calls) return;
  if (loaded === undefined) return root.replaceChildren(unloaded());
  const [{ Shell }, self] = loaded;
  if (storedToken() !== token) return show({ notice });
  shell = new Shell({
    token,
    device: self,
    onSignedOut: (why) => {
      forgetToken(token);
      history.replaceState(null, "", location.pathname);
      show({ notice: why });
    },
  });
  root.replaceChildren(shell.view);
  await shell.open();
  // Only now, because the worker loads all sections.
  const { startWorker } = await import("./offline/worker.js");
  startWorker();
}

/** The form of the page, until its modules are here. */
function skeleton() {
  return element("main", { class: "skeleton", id: "main", tabindex: "-1", "aria-busy": "true", "data-testid": "skeleton" },
    element("h1", { class: "hidden-visually" }, "Muster"), element("p", { class: "hidden-visually", role: "status" }, phrase("loading")),
    element("div", { class: "skeleton-sheet" }, Array.from({ length: 5 }, () => element("span", { class: "skeleton-row" }))), element("div", { class: "skeleton-tabs" }));
}

/** What the page shows when its modules cannot be loaded. A reload requests them again. */
function unloaded() {
  return element("main", { class: "sign-in", id: "main", tabindex: "-1" }, element("section", { class: "card", role: "alert" },
    element("h1", { class: "brand" }, "Muster"), element("p", {}, phrase("unloaded")),
    element("button", { type: "button", class: "filled wide", onclick: () => location.reload() }, phrase("retry"))));
}

function loadShell() {
  preload();
  return import("./shell/shell.js");
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // The fragment is the page's own address, so the skip link must not write to it.
  event.preventDefault();
  document.getElementById("main")?.focus();
});

// Only a page that has a service worker can have a newer version.
if (navigator.serviceWorker?.controller) import("./offline/opening.js").then(({ beginNewVersion }) => beginNewVersion(), console.error);
try {
  await loadWords();
} catch (error) {
  document.getElementById("unloaded").hidden = false;
  addEventListener("online", () => location.reload());
  throw error;
}
translateDocument();
addEventListener("hashchange", () => {
  if (shell === null && storedToken() === null) show();
});
onTokenChanged(() => show());

/** Finishes what a provider's way back brought, then shows the page. */
async function begin() {
  if (!/^#(ticket|auth_error)=/.test(location.hash)) return show();
  const { redeem, signInTrouble, takeReturn } = await import("./sign-in/flow.js");
  const back = takeReturn();
  if (back === null) return show();
  const token = storedToken();
  let trouble = back.trouble;
  if (trouble === null) {
    try {
      const answer = await redeem(back, back.purpose === "login" ? undefined : (token ?? undefined));
      if (back.purpose === "login") rememberToken(answer.token);
    } catch (error) {
      trouble = error.code ?? "failed";
    }
  }
  await show({ notice: trouble === null ? undefined : signInTrouble(trouble) });
  // A user who is logged in is told by the shell.
  if (storedToken() === null) return;
  const { toast } = await import("./shell/toasts.js");
  if (trouble !== null) toast(signInTrouble(trouble));
  else if (back.purpose === "confirm") toast(phrase("ways.again.done"));
}

begin();
