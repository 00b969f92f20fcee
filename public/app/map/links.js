import { attempt, toast } from "../shell/toasts.js";
import { element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The address of directions to a place: the phone's own map app, or a public map on other machines. */
export function directionsTo({ lat, lon }) {
  const isPhone = matchMedia("(pointer: coarse)").matches;
  return isPhone ? `geo:${lat},${lon}?q=${lat},${lon}` : `https://www.openstreetmap.org/directions?to=${lat}%2C${lon}`;
}

/**
 * The addresses of a place in map apps, with its name; OpenStreetMap shows a marker, but no name.
 * @param {{lat: number, lon: number, link?: string}} place `link`: its `geo:` address from the server
 */
export function mapAddresses({ lat, lon, link }, name) {
  const called = encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [
    { app: phrase("links.app"), isOwn: true, address: link ?? `geo:${lat},${lon}?q=${lat},${lon}(${called})` },
    { app: "Apple Maps", address: `https://maps.apple.com/?ll=${lat},${lon}&q=${called}` },
    { app: "OpenStreetMap", address: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}` },
  ];
}

/** Links that open a place in a map app. */
export function mapLinks(place, name) {
  return element("div", { class: "map-links", role: "group", "aria-label": phrase("links.title"), "data-testid": "map-links" }, mapAddresses(place, name).map(({ app, isOwn = false, address }) =>
    element("a", { href: address, "aria-label": isOwn ? phrase("links.open.own", { name: isolated(name) }) : phrase("links.open", { name: isolated(name), app }), ...(address.startsWith("https:") && { target: "_blank", rel: "noopener noreferrer" }) }, app)));
}

/** Shares a link by the system's share sheet, or copies it. */
export async function shareLink(url, title) {
  if (navigator.share) {
    // The user cancelled: not an error.
    return void (await navigator.share({ title, url }).catch(() => {}));
  }
  await attempt(async () => {
    await navigator.clipboard.writeText(url);
    toast(phrase("links.copied"));
  });
}
