/** Moves the focus to the heading of the current view when the focused control is gone. */
export function focusHeading() {
  document.getElementById("heading")?.focus({ preventScroll: true });
}
