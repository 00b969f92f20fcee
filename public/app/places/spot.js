import { attempt } from "../shell/toasts.js";
import { isOwnAddress } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { excerpt } from "../ui/names.js";
import { phrase } from "../ui/words.js";

/** The maximum length of a photo's alternative text, taken from the comment. */
const ALT = 160;

/** The first line of a spot's comment is its name. */
export function spotName({ comment }) {
  return comment.split("\n")[0];
}

/** The rest of a spot's comment. */
export function spotSaid({ comment }) {
  return comment.split("\n").slice(1).join("\n").trim();
}

/**
 * Like and dislike buttons. At most one is pressed; pressing it again withdraws the vote.
 * @param {object} client
 * @param {() => object} spotOf returns the current spot
 * @param {(spot: object) => void} onChanged receives the spot after a vote
 */
export function voteButtons(client, spotOf, onChanged) {
  const kinds = [["like", "likes"], ["dislike", "dislikes"]];
  const counts = kinds.map(() => element("span", {}));
  const buttons = kinds.map(([vote]) => button("", () => attempt(async () => {
    const spot = spotOf();
    onChanged((await client.request("spot.vote", { spot: spot.id, vote: spot.vote === vote ? "none" : vote })).spot);
  }), { class: "toggle tonal", "data-testid": `spot-${vote}` }));
  kinds.forEach(([vote], index) => buttons[index].append(lineIcon(vote), counts[index]));
  return {
    view: element("div", { class: "row votes" }, buttons),
    draw() {
      const spot = spotOf();
      kinds.forEach(([vote, counted], index) => {
        setText(counts[index], String(spot[counted]));
        setAttribute(buttons[index], "aria-pressed", spot.vote === vote);
        setAttribute(buttons[index], "aria-label", phrase(`spot.${vote}`, { name: spotName(spot), count: spot[counted] }));
      });
    },
  };
}

/** The alternative text of a spot's photo: its comment in one line. */
function photoWords({ comment }) {
  const words = comment.split("\n").map((line) => line.trim()).filter(Boolean).join(": ");
  return phrase("photo.of", { name: excerpt(words, ALT) });
}

/**
 * The thumbnail of a spot's photo, which opens the full photo. It has no size when there is no photo, or loading fails.
 */
export class SpotPhoto {
  #session;
  #spot = null;
  #shown = null;
  view = button("", () => this.#open(), { class: "spot-photo", "aria-haspopup": "dialog", "data-testid": "spot-photo", hidden: true });

  /** @param {{client: object, me: string}} session */
  constructor(session) {
    this.#session = session;
  }

  /** Shows the photo of a spot. */
  draw(spot) {
    this.#spot = spot;
    const photo = spot.photo && isOwnAddress(spot.photo.thumb) && isOwnAddress(spot.photo.url) ? spot.photo : null;
    if ((photo?.thumb ?? null) === this.#shown) return;
    this.#shown = photo?.thumb ?? null;
    this.view.replaceChildren();
    setShown(this.view, photo !== null);
    if (photo === null) return;
    const picture = element("img", { alt: photoWords(spot), width: photo.width, height: photo.height, decoding: "async", draggable: "false" });
    picture.addEventListener("error", () => setShown(this.view, false));
    picture.src = photo.thumb;
    this.view.append(picture);
  }

  async #open() {
    await attempt(async () => {
      const { openPhoto } = await import("../photos/viewer.js");
      const { client, me } = this.#session;
      openPhoto(this.#spot.photo, { title: spotName(this.#spot), alt: photoWords(this.#spot), reporter: this.#spot.author.id === me ? null : client });
    });
  }
}
