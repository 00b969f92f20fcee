import { attempt } from "../shell/toasts.js";
import { button, element, setAttribute, setText } from "../ui/dom.js";

/** The first line of a spot's comment is its name. */
export function spotName({ comment }) {
  return comment.split("\n")[0];
}

/** What else its comment says. */
export function spotSaid({ comment }) {
  return comment.split("\n").slice(1).join("\n").trim();
}

/**
 * Like and dislike, of which one at most is pressed; pressed again, it is taken back.
 * @param {object} client
 * @param {() => object} spotOf gives the spot as it is
 * @param {(spot: object) => void} onChanged told of the spot after a vote
 */
export function voteButtons(client, spotOf, onChanged) {
  const kinds = [["like", "Like", "likes"], ["dislike", "Dislike", "dislikes"]];
  const buttons = kinds.map(([vote]) => button("", () => attempt(async () => {
    const spot = spotOf();
    onChanged((await client.request("spot.vote", { spot: spot.id, vote: spot.vote === vote ? "none" : vote })).spot);
  }), { class: "toggle small", "data-testid": `spot-${vote}` }));
  return {
    view: element("div", { class: "row votes" }, buttons),
    draw() {
      const spot = spotOf();
      kinds.forEach(([vote, word, counted], index) => {
        setText(buttons[index], `${word} · ${spot[counted]}`);
        setAttribute(buttons[index], "aria-pressed", spot.vote === vote);
        setAttribute(buttons[index], "aria-label", `${word} ${spotName(spot)}, ${spot[counted]} ${spot[counted] === 1 ? "does" : "do"}`);
      });
    },
  };
}
