import { setAttribute, setShown, setText } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** Shows a room's unread count in a badge; an unknown or muted room shows none. */
export function showUnread(badge, room) {
  const { unread = 0, mentions = 0, muted = "none" } = room ?? {};
  setText(badge, unread > 0 ? `${mentions > 0 ? "@ " : ""}${unread >= 100 ? "99+" : unread}` : "");
  setShown(badge, unread > 0 && muted !== "all");
  setAttribute(badge, "aria-label", phrase("count.unread", { count: unread }));
}
