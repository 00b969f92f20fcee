/**
 * What runs first: it asks for the files of the shell before the page itself is there, for nothing but the login decides it.
 *
 * index.html has it as a script of its own, which waits neither for stylesheets nor for other modules.
 */
import { storedToken } from "./account.js";

/**
 * The files that a logged-in user waits for. Named here, they load in parallel and not one after the other.
 *
 * Those of the map follow later.
 */
const FILES = [
  "app/shell/shell.js", "app/shell/device.js", "app/session.js", "app/offline/keeper.js", "app/offline/kept.js", "app/offline/opening.js", "app/offline/worker.js", "app/notify/notify.js", "app/position-source.js", "app/ui/avatar.js", "app/ui/list.js", "app/ui/names.js", "app/ui/times.js", "app/you/share-bar.js",
  "app/shell/focus.js", "app/shell/inbox.js", "app/shell/notices.js", "app/shell/router.js",
  "app/shell/sections.js", "app/shell/sheet.js", "app/shell/toasts.js", "app/shell/dialog.js", "app/people/people.js",
  "app/people/gathering-card.js", "app/people/group-dialogs.js", 
  "app/people/list.js", "app/people/person.js", "app/map/geometry.js", "muster.js", "client/calls.js", "client/client.js", "client/connection.js",
  "client/backoff.js", "client/fix-queue.js", "client/roster.js", "client/token-bucket.js", "client/distance.js",
  "client/event-stream.js", "client/event-watch.js", "client/fix-reporter.js", "client/room.js", "client/rooms.js",
  "client/requests.js", "client/seen-marks.js", "client/significant-change.js", "client/spot-watch.js", "client/tiles.js",
  "client/unread-messages.js", "app/shell/strip.js", "app/shell/alert-card.js", "app/shell/group-pill.js", "app/shell/layout.js", "app/shell/map-stage.js", "app/shell/navigation.js",
  "app/shell/questions.js", "app/shell/views.js", "app/ui/menu.js", "app/you/share-state.js",
  "app/shell/shell.css", "app/people/people.css",
];

/** Preloads what the shell needs, once. A bundled page names its own files. */
export function preload() {
  const { bundle } = document.documentElement.dataset;
  for (const name of bundle === undefined ? FILES : bundle.split(" ")) {
    if (document.head.querySelector(`link[href="/${name}"]`) !== null) continue;
    const link = document.createElement("link");
    const isSheet = name.endsWith(".css");
    link.rel = isSheet ? "preload" : "modulepreload";
    if (isSheet) link.as = "style";
    link.href = `/${name}`;
    document.head.append(link);
  }
}

if (storedToken() !== null) preload();
