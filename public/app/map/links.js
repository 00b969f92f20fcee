import { attempt, toast } from "../shell/toasts.js";
import { element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";

/** Where a phone opens its own map, and other machines a public one. */
export function directionsTo({ lat, lon }) {
  const isPhone = matchMedia("(pointer: coarse)").matches;
  return isPhone ? `geo:${lat},${lon}?q=${lat},${lon}` : `https://www.openstreetmap.org/directions?to=${lat}%2C${lon}`;
}

/**
 * The addresses by which map apps are handed a place, with its name; OpenStreetMap has a marker, but no name for it.
 * @param {{lat: number, lon: number, link?: string}} place `link`: its `geo:` address, as the server makes it
 */
export function mapAddresses({ lat, lon, link }, name) {
  const called = encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [
    { app: "Map app", address: link ?? `geo:${lat},${lon}?q=${lat},${lon}(${called})` },
    { app: "Apple Maps", address: `https://maps.apple.com/?ll=${lat},${lon}&q=${called}` },
    { app: "OpenStreetMap", address: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}` },
  ];
}

/** Links that hand a place over to the map that one prefers. */
export function mapLinks(place, name) {
  return element("div", { class: "map-links", role: "group", "aria-label": "Open in a map", "data-testid": "map-links" }, mapAddresses(place, name).map(({ app, address }) =>
    element("a", { href: address, "aria-label": `Open ${isolated(name)} in ${app === "Map app" ? "this device’s map app" : app}`, ...(address.startsWith("https:") && { target: "_blank", rel: "noopener noreferrer" }) }, app)));
}

/** Hands a link on by the system's own means, or copies it. */
export async function shareLink(url, title) {
  if (navigator.share) {
    // Given up by the person: no failure.
    return void (await navigator.share({ title, url }).catch(() => {}));
  }
  await attempt(async () => {
    await navigator.clipboard.writeText(url);
    toast("The link is copied. It works for members of this group.");
  });
}
