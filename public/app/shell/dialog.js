import { element } from "../ui/dom.js";
import { focusHeading } from "./focus.js";
import { speakIn } from "./toasts.js";

/**
 * Opens a modal dialog with a title and a close button; gives the element, which is removed once it is closed.
 * The browser keeps the focus inside it, closes it on Escape and gives the focus back.
 */
export function openDialog(title, content, { testid } = {}) {
  const close = element("button", { type: "button", class: "icon", "aria-label": "Close", "data-testid": "dialog-close" }, "×");
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
    // What opened it may be gone by now.
    if (document.activeElement === document.body) focusHeading();
  });
  document.body.append(dialog);
  speakIn(dialog);
  dialog.showModal();
  return dialog;
}
