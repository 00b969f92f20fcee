import { button, busyWhile, element, field, setShown, setText, toast } from "./dom.js";
import { openDialog, sureButton } from "./dialog.js";
import { attempt } from "./group-dialog.js";
import { distance, explain } from "./text.js";

/** How far around one looks for spots, in metres, and how many are shown. */
const RADIUS = 5000;
const MOST = 50;

/** The longest name of a place, and how long a comment may be with it and the line break behind it. */
const NAME = 80;
const COMMENT = 500;

/**
 * Opens the spots around a point, the nearest first: one likes or dislikes them, adds one, and deletes one's own.
 * @param {object} client
 * @param {{here: {lat: number, lon: number}, isOwn: boolean, onPlace: (place: {lat: number, lon: number}) => void}} options
 *   `here`: around which point; `isOwn`: whether that is where one is; `onPlace`: show a place on the map
 */
export function openSpotsDialog(client, { here, isOwn, onPlace }) {
  const list = element("ol", { class: "spots", "data-testid": "spots" });
  const state = element("p", { class: "hint", role: "status", "data-testid": "spots-state" });
  const again = button("Try again", () => read(), { "data-testid": "spots-retry", hidden: true });
  const where = isOwn ? "where you are" : "the middle of the map";
  const content = element("div", { class: "stack sections" },
    element("section", { class: "stack" }, list, state, again),
    addForm(client, { here, where: isOwn ? where : `in ${where}`, onAdded: () => read() }));
  const dialog = openDialog(isOwn ? "Spots near you" : "Spots near the middle of the map", content, { testid: "spots-dialog" });

  async function read() {
    setShown(again, false);
    if (list.children.length === 0) setText(state, "Loading…");
    try {
      const { spots } = await client.request("spots.nearby", { ...point(here), radius: RADIUS, limit: MOST });
      list.replaceChildren(...spots.map((spot) => spotRow(client, spot, { onPlace: show, onDeleted: read })));
      setText(state, spots.length === 0 ? `No spots within ${distance(RADIUS)} of ${where} yet.` : "");
    } catch (error) {
      setText(state, explain(error));
      setShown(again, true);
    }
  }

  function show(place) {
    dialog.close();
    onPlace(place);
  }

  read();
}

function point({ lat, lon }) {
  return { lat, lon };
}

function addForm(client, { here, where, onAdded }) {
  const name = field("Name", { maxlength: NAME, autocomplete: "off", placeholder: "Blue Bottle", "data-testid": "spot-name" },
    { hint: "When friends meet here, it is called so." });
  const more = field("What there is to say (optional)", { maxlength: COMMENT - NAME - 1, autocomplete: "off", "data-testid": "spot-more" });
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "spot-add" }, "Add a spot here");
  const form = element("form", { class: "stack", novalidate: true }, name.row, more.row,
    element("p", { class: "hint" }, `It is added ${where}, with your name, and everybody can see it.`), submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const called = name.input.value.trim();
    name.complain(called ? null : "The spot needs a name.");
    if (!called) return name.input.focus();
    const said = more.input.value.trim();
    busyWhile(submit, async () => {
      try {
        await client.request("spot.add", { ...point(here), comment: said ? `${called}\n${said}` : called });
        form.reset();
        toast(`${called} is added.`);
        await onAdded();
      } catch (error) {
        // What the server finds wrong is said where it is wrong.
        if (error.field === "comment") name.complain(error.message);
        else toast(explain(error), { tone: "bad" });
      }
    });
  });
  return element("section", { class: "stack" }, element("h3", {}, "Add a spot here"), form);
}

function spotRow(client, spot, { onPlace, onDeleted }) {
  const isMine = spot.author.id === client.user.id;
  const [name, ...more] = spot.comment.split("\n");
  const said = more.join("\n").trim();
  const row = element("li", { "data-testid": "spot", "data-spot": spot.id },
    element("p", { class: "spot-name" }, name),
    said ? element("p", { class: "spot-said" }, said) : null,
    element("p", { class: "hint" }, [spot.category, `${distance(spot.distance)} away`, `by ${isMine ? "you" : spot.author.name}`].filter(Boolean).join(" · ")),
    element("div", { class: "row" }, voteButtons(client, spot, name),
      button("On the map", () => onPlace(spot), { class: "link", "aria-label": `Show ${name} on the map`, "data-testid": "spot-show" })));
  if (isMine) {
    row.append(sureButton("Delete", `Delete ${name} for everybody?`, async () => {
      if (!await attempt(() => client.request("spot.delete", { spot: spot.id }))) return;
      toast(`${name} is deleted.`);
      await onDeleted();
    }, { class: "danger small", "aria-label": `Delete ${name}`, "data-testid": "spot-delete" }));
  }
  return row;
}

/** Like and dislike, of which one at most is pressed; pressed again, it is taken back. */
function voteButtons(client, spot, name) {
  const kinds = [["like", "Like", "likes"], ["dislike", "Dislike", "dislikes"]];
  const buttons = kinds.map(([vote]) => button("", async () => {
    const wanted = spot.vote === vote ? "none" : vote;
    await attempt(async () => Object.assign(spot, (await client.request("spot.vote", { spot: spot.id, vote: wanted })).spot));
    draw();
  }, { class: "toggle small", "data-testid": `spot-${vote}` }));
  function draw() {
    kinds.forEach(([vote, word, counted], index) => {
      setText(buttons[index], `${word} · ${spot[counted]}`);
      buttons[index].setAttribute("aria-pressed", String(spot.vote === vote));
      buttons[index].setAttribute("aria-label", `${word} ${name}, ${spot[counted]} ${spot[counted] === 1 ? "does" : "do"}`);
    });
  }
  draw();
  return buttons;
}
