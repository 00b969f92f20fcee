/** Moves the focus to the heading of the current view when the focused control is gone. */
export function focusHeading() {
  document.getElementById("heading")?.focus({ preventScroll: true });
}

/** Runs an action that may remove the focused control. */
export async function keepFocus(action) {
  await action();
  if (document.activeElement === document.body) focusHeading();
}
