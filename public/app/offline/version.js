/**
 * Reloads the page with a newer version, if a service worker has it complete and no other page is open.
 *
 * Called when a page opens, so nothing is lost. Other pages may still need files that the newer version lacks.
 */
export async function beginNewVersion() {
  const { serviceWorker } = navigator;
  if (!serviceWorker?.controller) return;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return;
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  registration.waiting.postMessage("begin");
}
