import { isolated } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The interval of a slow room, in words. */
export function paceOf(seconds) {
  return seconds < 60 ? phrase("unit.seconds", { count: seconds }) : lasting(seconds * 1000);
}

/** A message in one line. */
export function inShort(message, { me }) {
  const { kind, text, deleted, from, data } = message;
  if (deleted) return phrase("chat.deleted");
  if (kind === "wait") return data?.eta ? phrase("chat.wait.eta", { count: Math.ceil(data.eta / 60) }) : phrase("chat.wait");
  if (kind === "system") return event(data ?? {}, from, me);
  return text ?? phrase("photo");
}

/** The author's name. */
export function author({ from }, { me }) {
  if (!from) return phrase("chat.leftAuthor");
  return from.id === me ? phrase("you") : from.name;
}

/** The name of a room: that of its group or event. */
export function roomName(client, id) {
  return client.groups.get(id)?.name ?? client.rooms.all.get(id)?.event?.title ?? "";
}

/** Whether the user may delete other users' messages in a room. */
export function isHost(client, id, me) {
  const event = client.rooms.all.get(id)?.event;
  return event ? event.host === me : client.groups.get(id)?.role === "owner";
}

function changes(changed) {
  const isAny = (...fields) => fields.some((field) => changed.includes(field));
  return [isAny("title") && phrase("event.changed.title"), isAny("startsAt", "endsAt") && phrase("event.changed.time"), isAny("lat", "lon", "place") && phrase("event.changed.place")]
    .filter(Boolean).join(phrase("event.changed.and")) || phrase("event.changed");
}

function event({ event: name, place, title = phrase("chat.event.any"), changed = [] }, from, me) {
  const isMe = from?.id === me;
  const who = from ? isolated(from.name) : phrase("somebody");
  switch (name) {
    case "joined":
      return isMe ? phrase("chat.event.joinedYou") : phrase("chat.event.joined", { name: who });
    case "left":
      return isMe ? phrase("chat.event.leftYou") : phrase("chat.event.left", { name: who });
    case "removed":
      return isMe ? phrase("chat.event.removedYou") : phrase("chat.event.removed", { name: who });
    case "gathering_began":
      return place ? phrase("chat.event.together.at", { place: isolated(place) }) : phrase("chat.event.together");
    case "gathering_moved":
      return place ? phrase("chat.event.moved.at", { place: isolated(place) }) : phrase("chat.event.moved");
    case "gathering_ended":
      return phrase("chat.event.parted");
    case "picture_shared":
      return isMe ? phrase("chat.event.pictureYou") : phrase("chat.event.picture", { name: who });
    case "event_made":
      return isMe ? phrase("chat.event.madeYou", { title: isolated(title) }) : phrase("chat.event.made", { name: who, title: isolated(title) });
    case "event_changed":
      return phrase("chat.event.changed", { title: isolated(title), changes: changes(changed) });
    case "event_cancelled":
      return phrase("chat.event.cancelled", { title: isolated(title) });
    default:
      return phrase("chat.event.other");
  }
}
