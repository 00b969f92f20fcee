import { attempt, toast } from "../shell/toasts.js";

/** Where a phone opens its own map, and other machines a public one. */
export function directionsTo({ lat, lon }) {
  const isPhone = matchMedia("(pointer: coarse)").matches;
  return isPhone ? `geo:${lat},${lon}?q=${lat},${lon}` : `https://www.openstreetmap.org/directions?to=${lat}%2C${lon}`;
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
