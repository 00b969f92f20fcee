import { toast } from "../shell/toasts.js";
import { element } from "./dom.js";
import { phrase } from "./words.js";

/** Copies a text, and says so. */
export async function copy(text, words = phrase("copied")) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission, or not over HTTPS, the older copy command still works on a selection.
    const before = document.activeElement;
    const field = element("textarea", { class: "hidden-visually", readonly: true, "aria-hidden": "true" });
    field.value = text;
    (before?.closest("dialog") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    before?.focus({ preventScroll: true });
  }
  toast(words);
}
