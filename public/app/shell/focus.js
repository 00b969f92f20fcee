/** Puts the focus on the heading of what is shown: where one reads on when the control that one used is gone. */
export function focusHeading() {
  document.getElementById("heading")?.focus({ preventScroll: true });
}

/** Runs an action that may take away the control that has the focus. */
export async function keepFocus(action) {
  await action();
  if (document.activeElement === document.body) focusHeading();
}
