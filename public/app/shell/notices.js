import { isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/**
 * The contents of all notifications except alerts (`inbox.js`), by their kind.
 *
 * `title` and `text`, `label` of the button, and `way`: the section to open, the rest of its address, and its group.
 */
const KINDS = {
  plan_proposed: ({ by, name, groupName, places, plan }) => ({
    title: phrase("notice.plan", { by: isolated(by.name), name: isolated(name) }), text: phrase("notice.plan.text", { group: isolated(groupName), places: places.map(isolated).join(", ") }),
    label: phrase("notice.plan.open"), way: ["plans", [plan]],
  }),
  wait_for_me: (notice) => inRoom(notice, phrase("notice.wait", { name: isolated(notice.from.name) }),
    notice.eta ? phrase("notice.wait.eta", { where: where(notice), count: Math.ceil(notice.eta / 60) }) : `${where(notice)}.`),
  mention: (notice) => inRoom(notice, phrase("notice.mention", { name: isolated(notice.from.name), where: where(notice) }), notice.text),
  messages: (notice) => ({ ...inRoom(notice, phrase("notice.messages", { where: where(notice) }), phrase("notice.messages.text")), isQuiet: true }),
  event_changed: (notice, now) => ofEvent(notice, phrase("event.changed.line", { title: isolated(notice.title), change: change(notice) }), phrase("notice.begins", { begin: begin(notice, now) })),
  event_cancelled: (notice, now) => ofEvent(notice, phrase("notice.cancelled", { title: isolated(notice.title) }), phrase("notice.cancelled.text", { begin: begin(notice, now) })),
  event_place: (notice, now) => ofEvent(notice, phrase("notice.place", { title: isolated(notice.title) }), phrase("notice.place.text", { begin: begin(notice, now) })),
  event_soon: (notice, now) => ofEvent(notice, phrase("notice.soon", { title: isolated(notice.title) }), phrase("notice.begins", { begin: begin(notice, now) })),
  place_arrived: (notice, now) => ofPlace(notice, phrase("notice.placeArrived", visitOf(notice)), now),
  place_left: (notice, now) => ofPlace(notice, phrase("notice.placeLeft", visitOf(notice)), now),
};

/** The contents of a notification at a time. */
export function wordsOf(notice, now) {
  return KINDS[notice.type](notice, now);
}

// The chat of an event is part of its view.
function inRoom({ room, event = null }, title, text) {
  return { title, text, label: phrase("notice.chat.open"), way: event === null ? ["chat", [room], { group: room }] : ["events", [event, "chat"]] };
}

function where({ title = null, groupName }) {
  return isolated(title ?? groupName ?? phrase("notice.chat"));
}

function ofEvent({ event }, title, text) {
  return { title, text, label: phrase("notice.event.open"), way: ["events", [event]] };
}

function visitOf({ user, place }) {
  return { name: isolated(user.name), place: isolated(place.name) };
}

function ofPlace({ user, since, group, groupName }, title, now) {
  return {
    title, text: phrase("notice.begin.group", { when: moment(since, now), group: isolated(groupName) }),
    label: phrase("notice.place.show"), way: ["people", [user.id], { group }],
  };
}

function begin({ startsAt, groupName }, now) {
  return groupName ? phrase("notice.begin.group", { when: moment(startsAt, now), group: isolated(groupName) }) : `${moment(startsAt, now)}.`;
}

function change({ changed = [] }) {
  const isAny = (...fields) => fields.some((field) => changed.includes(field));
  if (isAny("title")) return phrase("event.changed.title");
  if (isAny("startsAt", "endsAt")) return phrase("event.changed.time");
  return isAny("lat", "lon", "place") ? phrase("event.changed.place") : phrase("event.changed");
}
