import { device, forgetToken, onTokenChanged, rememberToken, storedToken } from "./account.js";
import { beginNewVersion, followPlace } from "./offline/opening.js";
import { redeem, signInTrouble, takeReturn } from "./sign-in/flow.js";
import { signInView } from "./sign-in.js";
import { element } from "./ui/dom.js";
import { loadWords, phrase, translateDocument } from "./ui/words.js";

/**
 * The modules that a logged-in user waits for. Named here, they load in parallel and not one after the other.
 *
 * The modules of the map follow later.
 */
const MODULES = [
  "app/shell/shell.js", "app/session.js", "app/offline/keeper.js", "app/offline/worker.js", "app/notify/notify.js", "app/position-source.js", "app/ui/avatar.js", "app/ui/list.js", "app/you/share-bar.js",
  "app/shell/focus.js", "app/shell/inbox.js", "app/shell/notices.js", "app/shell/router.js",
  "app/shell/sections.js", "app/shell/sheet.js", "app/shell/toasts.js", "app/shell/dialog.js", "app/people/people.js",
  "app/people/gathering-card.js", "app/people/group-dialogs.js", "app/people/invite.js", "app/ui/copy.js",
  "app/people/list.js", "app/people/person.js", "app/people/person-card.js", "app/people/block.js", "app/map/links.js", "app/map/geometry.js", "muster.js", "client/client.js", "client/connection.js",
  "client/backoff.js", "client/fix-queue.js", "client/roster.js", "client/token-bucket.js", "client/distance.js",
  "client/event-stream.js", "client/event-watch.js", "client/fix-reporter.js", "client/room.js", "client/rooms.js",
  "client/requests.js", "client/seen-marks.js", "client/significant-change.js", "client/spot-watch.js", "client/tiles.js",
  "client/unread-messages.js", "app/shell/strip.js", "app/shell/alert-card.js", "app/shell/group-pill.js", "app/shell/layout.js", "app/shell/map-stage.js", "app/shell/navigation.js",
  "app/shell/questions.js", "app/shell/views.js", "app/ui/menu.js", "app/you/share-state.js",
];
const SHEETS = ["app/shell/shell.css", "app/people/people.css"];

const root = document.getElementById("root");
let shell = null;
let isAsked = false;
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
    loaded = await Promise.all([loadShell(), device()]);
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

/** Preloads the modules of the shell, once. A bundled page names its own. */
function preload() {
  if (isAsked) return;
  isAsked = true;
  const { bundle } = document.documentElement.dataset;
  const wanted = bundle === undefined ? [["modulepreload", MODULES], ["preload", SHEETS]] : [["modulepreload", bundle.split(" ")]];
  for (const [rel, names] of wanted) {
    for (const name of names) {
      const link = document.createElement("link");
      link.rel = rel;
      if (rel === "preload") link.as = "style";
      link.href = `/${name}`;
      document.head.append(link);
    }
  }
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

void beginNewVersion();
// The words and the modules of the shell load in parallel.
if (storedToken() !== null) preload();
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

followPlace();
begin();
