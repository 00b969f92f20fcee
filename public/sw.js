/* The page's own files for use without a network. The server puts `const PAGE = {version, files}` before this text: the tag of
   each of its files by path, and a version that differs when any file does. So each worker belongs to one version.

   A worker keeps all files of its version, and answers for them alone: it makes no request of the API but those about notifications, and holds no token. It
   waits until no page of the version before is open, or until the last one is opened anew, and erases that version then. So a
   page never mixes the files of two versions. */

const CACHE = `muster-${PAGE.version}`;
const BUNDLE = "/bundle/";
const isBundled = Object.keys(PAGE.files).some((path) => path.startsWith(BUNDLE));

/** Files that every page needs, whether bundled or not. */
const SHARED = ["/index.html", "/icon.svg", "/config.json", "/manifest.webmanifest", "/icons/192.png"];

/** Whether a file is kept from the beginning. */
function isKept(path) {
  if (SHARED.includes(path)) return true;
  if (isBundled) return path.startsWith(BUNDLE);
  return /^\/(app|client)\//.test(path) || ["/muster.js", "/style.css", "/vendor/leaflet/leaflet.esm.min.js", "/vendor/leaflet/leaflet.css"].includes(path);
}

/** Files that are kept once they were requested. Others, such as the watch page, come from the network alone. */
const LATER = ["/land.json"];

/** Whether an answer has the content of this version. The tag of a compressed answer says so, too. */
function isOfVersion(path, answer) {
  return answer.ok && answer.headers.get("etag")?.replace(/-gzip"$/, '"') === PAGE.files[path];
}

async function keep(path, cache) {
  // A file that has not changed comes from the version before.
  const known = await caches.match(path);
  if (known && isOfVersion(path, known)) return cache.put(path, known);
  const answer = await fetch(path, { cache: "no-cache" });
  if (!isOfVersion(path, answer)) throw new Error(`${path} is of another version`);
  return cache.put(path, answer);
}

async function install() {
  const cache = await caches.open(CACHE);
  const paths = Object.keys(PAGE.files).filter(isKept);
  // A few at a time, so that the requests of an open page do not wait.
  const next = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await keep(path, cache);
  };
  await Promise.all([next(), next(), next(), next()]);
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("muster-") && name !== CACHE) await caches.delete(name);
  await clients.claim();
}

async function answer(path, request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(path);
  if (known) return known;
  const fresh = await fetch(request);
  if (isOfVersion(path, fresh)) await cache.put(path, fresh.clone());
  return fresh;
}

/** Begins if only the page that asks is open. The page before it, that a reload just ended, still counts for a moment. */
async function begin() {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.length <= 1) return skipWaiting();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => {
  if (event.data === "begin") event.waitUntil(begin());
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const path = pathname === "/" ? "/index.html" : pathname;
  if (request.method !== "GET" || origin !== location.origin) return;
  if (!Object.hasOwn(PAGE.files, path) || !(isKept(path) || LATER.includes(path))) return;
  event.respondWith(answer(path, request));
});
addEventListener("push", (event) => event.waitUntil(receive(event.data?.json())));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
addEventListener("notificationclick", (event) => {
  const { action, notification } = event;
  notification.close();
  event.waitUntil(action && !notification.data.opens?.includes(action) ? act(action, notification) : showPage(notification.data));
});

/** Shows a push as a notification, unless a visible page shows it by itself. */
async function receive(message) {
  if (message?.v !== 1) return;
  const visible = (await openPages({ includeUncontrolled: true })).find((page) => page.visibilityState === "visible");
  if (visible) return visible.postMessage({ pushed: message });
  // The page shows alerts itself while it is open and hidden.
  for (const shown of await registration.getNotifications({ tag: `alert-${message.notification}` })) shown.close();
  await show(message.title, message.body ?? "", {
    tag: message.tag,
    timestamp: message.at,
    renotify: true,
    actions: message.actions.map(({ action, title }) => ({ action, title })),
    data: { address: message.url, act: message.act, opens: message.actions.filter((each) => each.opens).map((each) => each.action), actions: message.actions },
  });
}

function show(title, body, options) {
  return registration.showNotification(title, { body, icon: "/icons/192.png", badge: "/icons/192.png", ...options });
}

/** Executes an action of a notification. Its right is in the notification, so the worker needs no token. */
async function act(action, { title, tag, data }) {
  const body = JSON.stringify({ act: data.act, action });
  const answer = await fetch("/v1/push/act", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (answer?.ok) return;
  const failure = answer === null ? "unreachable" : answer.status === 410 ? "late" : "refused";
  const actions = answer === null ? data.actions.map((each) => ({ action: each.action, title: each.title })) : [];
  await show(title, (await kept())?.words?.[failure] ?? "", { tag, data, actions });
}

/** What the page kept when it subscribed: `{id, renew, key, words}`, with its words for failures; null when it did not. */
async function kept() {
  return (await (await caches.open("push")).match("/push-target"))?.json() ?? null;
}

/** Tells the server the new address of this browser, with the code that the page kept. */
async function renew({ newSubscription }) {
  const known = await kept();
  if (known === null) return;
  const { id, renew: code, key } = known;
  const subscription = newSubscription ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await fetch("/v1/push/renew", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id, renew: code, subscription }) });
}

/** The open pages that show notifications: not that of a wearable. */
async function openPages(options) {
  const pages = await clients.matchAll({ type: "window", ...options });
  return pages.filter(({ url }) => ["/", "/index.html"].includes(new URL(url).pathname));
}

/** Shows what a notification is about, in an open page or a new one. */
async function showPage({ address }) {
  const [page] = await openPages();
  if (!page) return void (await clients.openWindow(address));
  await page.focus();
  page.postMessage({ address });
}
