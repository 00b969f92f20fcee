import { element } from "../app/ui/dom.js";
import { clock, distance, isolated } from "../app/ui/text.js";
import { phrase } from "../app/ui/words.js";

/**
 * The contents of a glance as a sequence of cards: first the items that wait for the user, then the groups, then the
 * spots.
 *
 * A card is `{key, view, action, place}`; `action` is `{word, kind, …}`, null where there is none; `place` is what the
 * map can show. The face has one action button, so an item with two actions has two cards.
 * @param {object} glance
 * @param {Map<string, string>} votes the user's votes from this watch, by spot
 * @param {Map<number, string>} waits the results of wait requests, in words, by notification
 */
export function cardsOf({ notifications = [], groups = [], places = [], spots = [] }, votes, waits) {
  return [
    ...notifications.flatMap((each) => notificationCards(each, waits.get(each.notification))),
    ...groups.map(groupCard),
    ...(places.length > 0 ? [arrivalsCard(places)] : []),
    ...spots.map((spot) => spotCard(spot, votes.get(spot.id) ?? "none")),
  ];
}

function notificationCards({ notification, kind, group, text }, said) {
  const seen = {
    key: `n${notification}`,
    view: [element("h2", { class: "out" }, text), said ? element("p", {}, said) : null],
    action: { kind: "seen", word: phrase("watch.seen"), notification },
  };
  if (kind !== "left_without_you" || !group || said) return [seen];
  const wait = { key: `w${notification}`, view: [element("h2", { class: "out" }, text)], action: { kind: "wait", word: phrase("watch.wait"), notification, group } };
  return [wait, seen];
}

function groupCard({ id, name, together, of, you, place, distance: metres }) {
  const isOut = together > 0 && you === "out";
  const where = [place?.name ? phrase("watch.at", { name: isolated(place.name) }) : null, typeof metres === "number" ? phrase("distance.away", { distance: distance(metres) }) : null].filter(Boolean).join(" · ");
  return {
    key: `g${id}`,
    view: [
      element("h2", {}, name),
      together > 0 ? element("p", { class: isOut ? "big out" : "big" }, phrase("watch.together", { count: together, of })) : element("p", { class: "quiet" }, phrase("watch.apart", { members: phrase("count.members", { count: of }) })),
      isOut ? element("p", {}, phrase("watch.without")) : null,
      where ? element("p", { class: "quiet" }, where) : null,
    ],
    action: place ? { kind: "way", word: phrase("watch.way"), place } : null,
    place,
  };
}

/** The last arrivals and departures, one a line: "Bo · Home · 18:02". */
function arrivalsCard(places) {
  return {
    key: "places",
    view: places.map(({ name, place, state, at }) => element("p", state === "left" ? { class: "quiet" } : {},
      [isolated(name), state === "left" ? phrase("watch.left", { place: isolated(place) }) : isolated(place), clock(at)].join(" · "))),
    action: null,
  };
}

function spotCard({ id, lat, lon, comment, likes, dislikes, distance: metres }, vote) {
  const [name, ...rest] = comment.split("\n");
  return {
    key: `s${id}`,
    view: [
      element("h2", {}, name),
      rest.length > 0 ? element("p", {}, rest.join(" ")) : null,
      element("p", { class: "quiet" }, [typeof metres === "number" ? phrase("distance.away", { distance: distance(metres) }) : null, phrase("count.likes", { count: likes }), dislikes > 0 ? phrase("count.dislikes", { count: dislikes }) : null].filter(Boolean).join(" · ")),
    ],
    action: { kind: "vote", word: vote === "like" ? phrase("watch.liked") : phrase("watch.like"), spot: id, vote: vote === "like" ? "none" : "like" },
    place: { lat, lon },
  };
}
