import { toast } from "../shell/toasts.js";
import { button } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** The registration of the service worker, once it is known; null where there is none. */
let registered = Promise.resolve(null);
let isStarted = false;

/** The registration of the service worker; null where there is none. */
export function worker() {
  return registered;
}

/** Starts the service worker, which keeps the page's files. A newer version is announced, and begins with a reload. */
export function startWorker() {
  // Only pages of HTTPS, or of this machine, have one.
  const { serviceWorker } = navigator;
  // A later login has the same one.
  if (serviceWorker === undefined || isStarted) return;
  isStarted = true;
  registered = serviceWorker.register("/sw.js", { updateViaCache: "none" }).then((registration) => {
    registration.addEventListener("updatefound", () => {
      const fresh = registration.installing;
      fresh?.addEventListener("statechange", () => {
        if (fresh.state === "installed" && serviceWorker.controller !== null) {
          toast(phrase("version.new"), { control: button(phrase("reload"), () => location.reload(), { class: "text", "data-testid": "version-reload" }) });
        }
      });
    });
    return registration;
  }).catch(() => null);
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data.address !== undefined) location.assign(data.address);
    else if (data.pushed?.kind === "test") toast(phrase("push.test.here"));
  });
}

/** Looks for a newer version, as after a restart of the server. */
export async function checkVersion() {
  await (await registered)?.update().catch(() => {});
}
