import { setAttribute, setShown, setText } from "../ui/dom.js";
import { counted } from "../ui/text.js";

/** Shows in a badge how much of a room is unread; nothing of one that is not there, or muted. */
export function showUnread(badge, room) {
  const { unread = 0, mentions = 0, muted = "none" } = room ?? {};
  setText(badge, unread > 0 ? `${mentions > 0 ? "@ " : ""}${unread >= 100 ? "99+" : unread}` : "");
  setShown(badge, unread > 0 && muted !== "all");
  setAttribute(badge, "aria-label", counted(unread, "unread message"));
}
