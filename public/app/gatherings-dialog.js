import { gatherings as fetchGatherings } from "../muster.js";
import { button, element, setShown, setText } from "./dom.js";
import { openDialog } from "./dialog.js";
import { duration } from "./group-rules.js";
import { avatar } from "./person.js";
import { capital, explain, lasting, people, span } from "./text.js";

const PER_PAGE = 10;

/** What is told to the group is written a moment later; the list waits for that. */
const WRITTEN = 1500;

/**
 * Opens a group's past gatherings, the newest first, page by page. It reads them anew when one begins, moves or ends.
 * @param {object} client
 * @param {object} group
 * @param {{token: string, onPlace: (place: {lat: number, lon: number}) => void}} options `onPlace`: show it on the map
 */
export function openGatheringsDialog(client, group, { token, onPlace }) {
  const known = new Map();
  let next = null;
  let reading = null;
  const list = element("ol", { class: "timeline", "data-testid": "gatherings" });
  const state = element("p", { class: "hint", role: "status", "data-testid": "gatherings-state" });
  const again = button("Try again", () => read(), { "data-testid": "gatherings-retry", hidden: true });
  const more = button("Show more", () => read({ older: true }), { "data-testid": "gatherings-more", hidden: true });
  const dialog = openDialog(`Past gatherings of ${group.name}`, element("div", { class: "stack" }, list, state, again, more), { testid: "gatherings-dialog" });
  const onRoster = ({ detail }) => {
    if (detail.group !== group.id || !detail.gathering) return;
    clearTimeout(reading);
    reading = setTimeout(() => read(), WRITTEN);
  };
  client.addEventListener("roster", onRoster);
  dialog.addEventListener("close", () => {
    client.removeEventListener("roster", onRoster);
    clearTimeout(reading);
  });

  async function read({ older = false } = {}) {
    setShown(again, false);
    if (known.size === 0) setText(state, "Loading…");
    try {
      const page = await fetchGatherings(location.origin, token, group.id, { after: older ? next : null, limit: PER_PAGE });
      // A newer first page leaves it open where the older ones go on.
      if (older || known.size === 0) next = page.next;
      for (const gathering of page.gatherings) known.set(gathering.gathering, gathering);
      setText(state, known.size === 0 ? nothingYet(group.settings) : "");
      draw(older ? page.gatherings[0]?.gathering : null);
    } catch (error) {
      setText(state, explain(error));
      setShown(again, true);
    }
    setShown(more, next !== null);
  }

  function draw(focused) {
    const newestFirst = [...known.values()].sort((a, b) => (BigInt(a.gathering) < BigInt(b.gathering) ? 1 : -1));
    const held = document.activeElement?.closest?.("[data-gathering]")?.dataset.gathering ?? focused;
    list.replaceChildren(...newestFirst.map((gathering) => entry(gathering, {
      now: client.now(), me: client.user.id, members: client.rosters.get(group.id)?.members,
      onPlace: (place) => {
        dialog.close();
        onPlace(place);
      },
    })));
    if (held) list.querySelector(`[data-gathering="${held}"] button`)?.focus();
  }

  read();
}

function nothingYet({ dwell }) {
  const after = dwell === 0 ? "" : ` for ${duration(dwell)}`;
  return `No gatherings yet. When more than half of you have been at one place${after}, it shows here.`;
}

function entry({ gathering, since, endedAt, place, participants }, { now, me, members, onPlace }) {
  const lasts = endedAt === undefined;
  const names = participants.map(({ id, name }) => (id === me ? "you" : name)).sort((a, b) => Number(a === "you") - Number(b === "you"));
  const where = button(place.name || "On the map", () => onPlace(place), {
    class: "link", "aria-label": `Show ${place.name || "the place"} on the map`, "data-testid": "gathering-place" });
  const who = capital(people(names, 5));
  return element("li", { class: lasts ? "lasting" : "", "data-testid": "past-gathering", "data-gathering": gathering },
    element("p", { class: "timeline-when" }, element("time", { datetime: new Date(since).toISOString() }, span(since, lasts ? null : endedAt, now))),
    element("div", { class: "timeline-where" },
      element("span", lasts ? { class: "tag accent" } : {}, lasts ? "together now" : lasting(endedAt - since)), element("span", { "aria-hidden": "true" }, "·"), where),
    element("div", { class: "timeline-who" },
      element("div", { class: "faces" }, participants.slice(0, 6).map((person) => avatar(members?.get(person.id) ?? person, { size: "small" }))),
      element("span", {}, who)));
}
