import { isolated, lasting } from "../ui/text.js";

/** The interval of a slow room, in words. */
export function paceOf(seconds) {
  return seconds < 60 ? `${seconds} s` : lasting(seconds * 1000);
}

/** A message in one line. */
export function inShort(message, { me }) {
  const { kind, text, deleted, from, data } = message;
  if (deleted) return "This message was deleted.";
  if (kind === "wait") return `Wait for me${data?.eta ? `, ${Math.ceil(data.eta / 60)} min` : ""}`;
  if (kind === "system") return event(data ?? {}, from, me);
  return text ?? "Photo";
}

/** The author's name. */
export function author({ from }, { me }) {
  if (!from) return "Somebody who has left";
  return from.id === me ? "You" : from.name;
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
  return [isAny("title") && "has another name", isAny("startsAt", "endsAt") && "is at another time", isAny("lat", "lon", "place") && "is at another place"]
    .filter(Boolean).join(" and ") || "has changed";
}

function event({ event: name, place, title = "An event", changed = [] }, from, me) {
  const isMe = from?.id === me;
  const who = from ? (isMe ? "You" : isolated(from.name)) : "Somebody";
  const at = place ? ` at ${isolated(place)}` : "";
  switch (name) {
    case "joined":
      return `${who} joined.`;
    case "left":
      return `${who} left.`;
    case "removed":
      return isMe ? "You were removed." : `${who} was removed.`;
    case "gathering_began":
      return `Together${at}.`;
    case "gathering_moved":
      return `Together, now${at || " at another place"}.`;
    case "gathering_ended":
      return "No longer together.";
    case "picture_shared":
      return `${who} sent a map picture.`;
    case "event_made":
      return `${who} made an event: ${isolated(title)}.`;
    case "event_changed":
      return `${isolated(title)} ${changes(changed)}.`;
    case "event_cancelled":
      return `${isolated(title)} is cancelled.`;
    default:
      return "Something happened.";
  }
}
