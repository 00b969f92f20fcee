import { element } from "../ui/dom.js";
import { excerpt } from "../ui/text.js";

/** How much of an address stands on the page. */
const SHOWN = 48;

/**
 * A web address that somebody else wrote, with its host in ASCII beside it, so that nobody is led astray by letters that
 * look alike; null when it is none.
 */
export function foreignLink(address, attributes = {}) {
  const url = URL.parse?.(address) ?? parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  return element("span", { class: "foreign-link" },
    element("a", { href: url.href, target: "_blank", rel: "noopener noreferrer", ...attributes }, excerpt(address.replace(/^https?:\/\//i, ""), SHOWN)),
    " ", element("span", { class: "hint", "data-testid": "link-host" }, `(${url.host})`));
}

function parse(address) {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
