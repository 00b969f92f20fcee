import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { element } from "../ui/dom.js";
import { select } from "../ui/form.js";
import { phrase } from "../ui/words.js";
import { isHost, paceOf, roomName } from "./words.js";

const NOTIFICATIONS = ["none", "mentions", "all"];

/** The selectable intervals between two messages of a member, in seconds. */
const SLOWNESS = [0, 10, 30, 60, 300, 900, 3600];

/** Opens the settings of a room: its notifications, and for its host the slow mode. */
export function openRoomDialog({ client, me }, id) {
  const room = client.rooms.all.get(id);
  if (!room) return;
  const change = async (fields) => {
    if (await attempt(() => client.rooms.set(id, fields))) toast(phrase("saved"));
    show();
  };
  const mute = select(phrase("chat.told"), "chat-mute", NOTIFICATIONS.map((muted) => [muted, phrase(`chat.muted.${muted}`)]));
  mute.input.addEventListener("change", () => change({ muted: mute.input.value }));
  const steps = [...new Set([...SLOWNESS, room.slow])].sort((one, other) => one - other);
  const slow = select(phrase("chat.slow"), "chat-slow", steps.map((seconds) => [seconds, seconds === 0 ? phrase("chat.slow.off") : phrase("chat.slow.on", { pace: paceOf(seconds) })]));
  slow.input.addEventListener("change", () => change({ slow: Number(slow.input.value) }));
  const show = () => {
    mute.input.value = room.muted;
    slow.input.value = room.slow;
  };
  show();
  openDialog(phrase("chat.of", { name: roomName(client, id) }), element("div", { class: "stack" }, mute.row, isHost(client, id, me) ? slow.row : null), { testid: "room-dialog" });
}
