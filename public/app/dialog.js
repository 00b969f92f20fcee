import { element } from "./dom.js";

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
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A button that asks "are you sure?" in place before it acts. */
export function sureButton(label, question, action, attributes = {}) {
  const ask = element("button", { type: "button", class: "danger", ...attributes }, label);
  const row = element("div", { class: "sure" }, ask);
  ask.addEventListener("click", () => {
    const testid = attributes["data-testid"];
    const yes = element("button", { type: "button", class: "danger filled", "data-testid": testid && `${testid}-confirm` }, label);
    const no = element("button", { type: "button" }, "Cancel");
    no.addEventListener("click", () => {
      row.replaceChildren(ask);
      ask.focus();
    });
    yes.addEventListener("click", async () => {
      yes.disabled = true;
      await action();
      if (row.isConnected) row.replaceChildren(ask);
    });
    row.replaceChildren(element("p", {}, question), element("div", { class: "row" }, yes, no));
    no.focus();
  });
  return row;
}
