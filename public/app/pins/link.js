import { element } from "../ui/dom.js";
import { excerpt } from "../ui/names.js";

/** The maximum length of an address on the page. */
const SHOWN = 48;

/**
 * A link to a user-supplied web address, with its host in ASCII beside it as a protection against look-alike letters.
 *
 * Null when the text is not a web address.
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
