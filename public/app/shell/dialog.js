import { element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { focusHeading } from "./focus.js";
import { speakIn } from "./toasts.js";

/**
 * Opens a modal dialog with a title and a close button; returns the element, which is removed when it closes.
 *
 * The browser keeps the focus inside, closes the dialog on Escape and restores the focus.
 */
export function openDialog(title, content, { testid } = {}) {
  const close = element("button", { type: "button", class: "icon", "aria-label": phrase("close"), "data-testid": "dialog-close" }, "×");
  const heading = element("h2", { id: "dialog-title" }, title);
  const dialog = element(
    "dialog",
    { "aria-labelledby": "dialog-title", "data-testid": testid },
    element("header", {}, heading, close),
    element("div", { class: "dialog-body" }, content),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    speakIn(document.body);
    dialog.remove();
    // The element that opened the dialog may be gone by now.
    if (document.activeElement === document.body) focusHeading();
  });
  document.body.append(dialog);
  speakIn(dialog);
  dialog.showModal();
  return dialog;
}
