import { isolated, moment } from "../ui/text.js";

/**
 * The contents of all notifications except alerts (`inbox.js`), by their kind.
 *
 * `title` and `text`, `label` of the button, and `way`: the section to open, the rest of its address, and its group.
 */
const KINDS = {
  plan_proposed: ({ by, name, groupName, places, plan }) => ({
    title: `${isolated(by.name)} proposes ${isolated(name)}`, text: `A plan for ${isolated(groupName)}: ${places.map(isolated).join(", ")}.`,
    label: "Show the plan", way: ["plans", [plan]],
  }),
  wait_for_me: (notice) => inRoom(notice, `${isolated(notice.from.name)} asks you to wait`,
    notice.eta ? `${where(notice)}: about ${Math.ceil(notice.eta / 60)} min.` : `${where(notice)}.`),
  mention: (notice) => inRoom(notice, `${isolated(notice.from.name)} mentions you in ${where(notice)}`, notice.text),
  messages: (notice) => ({ ...inRoom(notice, `New messages in ${where(notice)}`, "You have not read them yet."), isQuiet: true }),
  event_changed: (notice, now) => ofEvent(notice, `${isolated(notice.title)} ${change(notice)}`, `It begins ${begin(notice, now)}`),
  event_cancelled: (notice, now) => ofEvent(notice, `${isolated(notice.title)} is off`, `It was to begin ${begin(notice, now)}`),
  event_place: (notice, now) => ofEvent(notice, `${isolated(notice.title)} has a place for you`, `You come now. It begins ${begin(notice, now)}`),
  event_soon: (notice, now) => ofEvent(notice, `${isolated(notice.title)} begins soon`, `It begins ${begin(notice, now)}`),
};

/** The contents of a notification at a time. */
export function wordsOf(notice, now) {
  return KINDS[notice.type](notice, now);
}

// The chat of an event is part of its view.
function inRoom({ room, event = null }, title, text) {
  return { title, text, label: "Open the chat", way: event === null ? ["chat", [room], { group: room }] : ["events", [event, "chat"]] };
}

function where({ title = null, groupName }) {
  return isolated(title ?? groupName ?? "A chat");
}

function ofEvent({ event }, title, text) {
  return { title, text, label: "Show the event", way: ["events", [event]] };
}

function begin({ startsAt, groupName }, now) {
  return groupName ? `${moment(startsAt, now)}, in ${isolated(groupName)}.` : `${moment(startsAt, now)}.`;
}

function change({ changed = [] }) {
  const isAny = (...fields) => fields.some((field) => changed.includes(field));
  if (isAny("title")) return "has another name";
  if (isAny("startsAt", "endsAt")) return "is at another time";
  return isAny("lat", "lon", "place") ? "is at another place" : "has changed";
}
