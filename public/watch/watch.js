import { storedToken } from "../app/account.js";
import { tab } from "../app/storage.js";
import { busyWhile, element, setAttribute, setShown, setText } from "../app/ui/dom.js";
import { explain, moment } from "../app/ui/text.js";
import { loadWords, phrase, translateDocument } from "../app/ui/words.js";
import { WatchClient } from "../client/watch-client.js";
import { cardsOf } from "./cards.js";

/** The storage key of this tab's device, kept over reloads. */
const DEVICE = "muster.watch";

const [state, count, card, next, map, act] = ["state", "count", "card", "next", "map", "act"].map((id) => document.getElementById(id));

/** The face of the watch: one card at a time, a button for the next card, one for a map of its place, and one for its action. */
class Face {
  #client;
  #votes = new Map();
  #waits = new Map();
  #seen = new Set();
  #cards = [];
  #shown = null;
  /** The server's map, and whether it shows a place; undefined until the first place, null where there is none. */
  #streets;
  /** The map that the card shows instead of its words. */
  #mapped = null;

  constructor(token) {
    this.#client = new WatchClient({ url: location.origin, token, device: { key: deviceKey(), kind: "watch", name: "Watch page" } });
    this.#client.addEventListener("glance", () => this.#draw());
    this.#client.addEventListener("state", ({ detail }) => this.#say(detail));
    next.addEventListener("click", () => this.#turn());
    map.addEventListener("click", () => busyWhile(map, () => this.#showMap()));
    act.addEventListener("click", () => busyWhile(act, () => this.#act()));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#client.hurry();
    });
    addEventListener("online", () => this.#client.hurry());
    addEventListener("offline", () => this.#client.goOffline());
    this.#draw();
    this.#client.start();
  }

  #say({ state: doing, reason }) {
    if (reason === "unauthorized") return askToLogIn();
    const isOffline = doing === "stopped" || (doing !== "live" && !navigator.onLine);
    state.dataset.state = doing === "live" ? "live" : isOffline ? "offline" : reason === null ? "connecting" : "reconnecting";
    const { glance } = this.#client;
    const asOf = glance === null ? "" : phrase("watch.asOf", { when: moment(glance.at) });
    setText(state, doing === "live" ? phrase("watch.live") : `${isOffline ? phrase("watch.offline") : reason === null ? phrase("watch.connecting") : phrase("watch.reconnecting")}${asOf}`);
    if (doing === "live") this.#draw();
  }

  #draw() {
    const { glance, status } = this.#client;
    const said = glance ?? {};
    const notifications = (said.notifications ?? []).filter(({ notification }) => !this.#seen.has(notification));
    const before = this.#cards.findIndex(({ key }) => key === this.#shown);
    this.#cards = cardsOf({ ...said, notifications }, this.#votes, this.#waits);
    const at = this.#cards.findIndex(({ key }) => key === this.#shown);
    // The shown card is gone: the one in its place is shown.
    this.#show(at >= 0 ? at : Math.max(0, Math.min(before, this.#cards.length - 1)), status.state === "live");
  }

  #show(index, isLive) {
    const shown = this.#cards[index] ?? { key: null, view: [element("p", { class: "quiet" }, isLive ? phrase("watch.nothing") : phrase("watch.moment"))], action: null };
    if (shown.key !== this.#shown) this.#mapped = null;
    this.#shown = shown.key;
    const parts = this.#mapped === null ? shown.view.filter(Boolean) : [this.#mapped];
    // Written only when it differs: the card is a live region.
    if (card.textContent !== parts.map((part) => part.textContent).join("") || card.dataset.key !== shown.key) card.replaceChildren(...parts);
    card.dataset.key = shown.key;
    setShown(next, this.#cards.length > 1);
    this.#offerMap(shown.place);
    setShown(act, shown.action !== null);
    setText(act, shown.action?.word ?? "");
    setText(count, this.#cards.length > 1 ? phrase("watch.number", { count: index + 1, of: this.#cards.length }) : "");
  }

  #turn() {
    // The user has read the error by now.
    this.#say(this.#client.status);
    const at = this.#cards.findIndex(({ key }) => key === this.#shown);
    this.#show((at + 1) % this.#cards.length, true);
    card.scrollTop = 0;
  }

  /** Shows the button for a place's map where the server has one. */
  #offerMap(place) {
    if (place && this.#streets === undefined) this.#readStreets();
    setAttribute(map, "aria-pressed", this.#mapped !== null);
    setShown(map, Boolean(place && this.#streets?.shows(place)));
  }

  async #readStreets() {
    this.#streets = null;
    try {
      const { hasPlace, hasStreets, readStreetMap } = await import("../app/streets/source.js");
      const described = await readStreetMap();
      if (hasStreets(described)) this.#streets = { described, shows: (place) => hasPlace(described, place) };
    } catch {
      // The next card with a place tries again.
      this.#streets = undefined;
      return;
    }
    this.#draw();
  }

  async #showMap() {
    const { key, place } = this.#cards.find((each) => each.key === this.#shown);
    try {
      if (this.#mapped === null) {
        const { drawMap } = await import("./map.js");
        const drawn = await drawMap(this.#streets.described, place);
        if (this.#shown !== key) return;
        this.#mapped = drawn;
      } else this.#mapped = null;
      this.#show(this.#cards.findIndex((each) => each.key === key), true);
    } catch {
      setText(state, phrase("watch.map.failed"));
    }
  }

  async #act() {
    const { action } = this.#cards.find(({ key }) => key === this.#shown);
    this.#say(this.#client.status);
    try {
      switch (action.kind) {
        case "seen":
          await this.#client.request("seen", { notifications: [action.notification] });
          this.#seen.add(action.notification);
          break;
        case "wait":
          await this.#wait(action);
          break;
        case "vote": {
          const { spot } = await this.#client.request("spot.vote", { spot: action.spot, vote: action.vote });
          this.#votes.set(spot.id, spot.vote);
          Object.assign(this.#client.glance.spots.find(({ id }) => id === spot.id) ?? {}, { likes: spot.likes, dislikes: spot.dislikes });
          break;
        }
        case "way":
          location.href = `geo:${action.place.lat},${action.place.lon}`;
          return;
      }
      this.#draw();
    } catch (error) {
      setText(state, explain(error));
    }
  }

  async #wait({ notification, group }) {
    try {
      // The page and a push use the same key, so that the request is counted once.
      const { told } = await this.#client.request("group.wait", { group, key: `n${notification}` });
      this.#waits.set(notification, phrase("watch.asked", { count: told }));
    } catch (error) {
      if (error.code !== "gone") throw error;
      this.#waits.set(notification, phrase("wait.gone"));
    }
  }
}

function deviceKey() {
  let key = tab.getItem(DEVICE);
  if (key === null) {
    key = `watch-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
    tab.setItem(DEVICE, key);
  }
  return key;
}

function askToLogIn() {
  setText(state, phrase("watch.loggedOut"));
  state.dataset.state = "offline";
  card.replaceChildren(element("p", {}, phrase("watch.logIn")), element("p", {}, element("a", { href: "/", "data-testid": "watch-login" }, phrase("watch.open"))));
  for (const part of [count, next, map, act]) setShown(part, false);
}

await loadWords({ isShort: true });
translateDocument();
const token = storedToken();
if (token === null) askToLogIn();
else new Face(token);
