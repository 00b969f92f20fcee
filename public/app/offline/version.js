/**
 * Lets a newer version of the page begin that the service worker has complete, unless other pages are open; then reloads.
 *
 * Called when a page opens, so nothing is lost. The other pages would ask for files that the newer version lacks.
 */
export async function beginNewVersion() {
  const { serviceWorker } = navigator;
  if (!serviceWorker?.controller) return;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage("begin");
}
