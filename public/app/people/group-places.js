import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, busyWhile, element, setShown } from "../ui/dom.js";
import { choice, field, select, sureButton } from "../ui/form.js";
import { people } from "../ui/names.js";
import { distance, explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The pictures of a place, and the radii of a new one in metres. */
const ICONS = ["home", "work", "school", "sport", "food", "shop", "health", "station", "other"];
const RADII = [50, 100, 200, 500, 1000, 2000];

/** A sentence that says who hears when the user arrives at a place. */
export function heardBy({ notify }, names) {
  if (notify === "everybody") return phrase("arrival.heard.everybody");
  const receivers = Array.isArray(notify) ? notify.filter((user) => names.has(user)) : [];
  if (receivers.length === 0) return phrase("arrival.heard.nobody");
  return phrase("arrival.heard", { count: receivers.length, people: people(receivers.map((user) => names.get(user))) });
}

/** A sentence that says who is at a place; null for nobody. */
export function hereNow({ here }, names) {
  const present = (here ?? []).filter(({ user }) => names.has(user)).map(({ user }) => names.get(user));
  return present.length === 0 ? null : phrase("arrival.here", { count: present.length, people: people(present) });
}

function namesOf(client, group) {
  return new Map([...(client.rosters.get(group)?.members.values() ?? [])].map(({ user, name }) => [user, name]));
}

/** Opens the form that adds a place to a group. */
export function openAddPlaceDialog(client, group, { lat, lon, name: called = "" }) {
  const name = field(phrase("arrival.name"), { maxlength: 60, autocomplete: "off", placeholder: phrase("arrival.icon.home"), value: called.slice(0, 60), "data-testid": "place-name" });
  const icon = select(phrase("arrival.icon"), "place-icon", ICONS.map((each) => [each, phrase(`arrival.icon.${each}`)]));
  const radius = select(phrase("arrival.radius"), "place-radius", RADII.map((metres) => [metres, distance(metres)]));
  radius.input.value = "100";
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "place-save" }, phrase("arrival.add"));
  const form = element("form", { class: "stack", novalidate: true }, name.row, icon.row, radius.row,
    element("p", { class: "hint" }, phrase("arrival.add.hint", { group: isolated(group.name) })), submit);
  // A repeated request adds nothing: the key stays that of this form.
  const key = crypto.randomUUID();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = name.input.value.trim();
    name.complain(text ? null : phrase("arrival.name.missing"));
    if (!text) return name.input.focus();
    busyWhile(submit, async () => {
      try {
        const { place } = await client.request("group.place.add", {
          group: group.id, key, name: text, icon: icon.input.value, lat, lon, radius: Number(radius.input.value),
        });
        client.setPlace(place);
        dialog.close();
        openPlaceDialog(client, group, place.id);
      } catch (error) {
        if (error.field === "name") name.complain(phrase("arrival.name.length"));
        else toast(explain(error), { tone: "bad" });
      }
    });
  });
  const dialog = openDialog(phrase("arrival.new"), form, { testid: "place-add-dialog" });
}

/** Opens the sheet of a place: who is there, and who hears of the user's arrivals. */
export function openPlaceDialog(client, group, id) {
  const place = client.groups.get(group.id)?.places?.find((each) => each.id === id);
  if (!place) return;
  const me = client.user.id;
  const names = namesOf(client, group.id);
  const others = [...names].filter(([user]) => user !== me);
  const said = element("p", { role: "status", "data-testid": "place-heard" }, heardBy(place, names));
  const present = hereNow(place, names);
  const chosen = new Set(Array.isArray(place.notify) ? place.notify : []);
  const mode = place.notify === "everybody" ? "everybody" : chosen.size > 0 ? "some" : "nobody";
  const boxes = element("ul", { class: "member-list" }, others.map(([user, name]) => element("li", {},
    element("label", { class: "choice" }, element("input", { type: "checkbox", value: user, checked: chosen.has(user), "data-testid": `place-to-${user}` }), element("span", {}, name)))));
  setShown(boxes, mode === "some");
  const form = element("form", { class: "stack" },
    element("fieldset", { class: "stack" }, element("legend", { class: "heading" }, phrase("arrival.choices")),
      choice("receivers", "nobody", phrase("arrival.nobody"), null, mode === "nobody", "place-nobody"),
      choice("receivers", "some", phrase("arrival.some"), null, mode === "some", "place-some"), boxes,
      choice("receivers", "everybody", phrase("arrival.everybody"), phrase("arrival.everybody.hint"), mode === "everybody", "place-everybody")));
  const save = element("button", { type: "submit", class: "filled", "data-testid": "place-choose" }, phrase("arrival.save"));
  form.append(element("p", { class: "hint" }, phrase("arrival.live")), save);
  form.addEventListener("change", () => setShown(boxes, form.elements.receivers.value === "some"));
  const change = (request, fields) => attempt(async () => {
    const answer = await client.request(request, { place: id, ...fields });
    client.setPlace(answer.place);
    said.textContent = heardBy(answer.place, names);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = form.elements.receivers;
    const to = value === "some" ? [...boxes.querySelectorAll("input:checked")].map((box) => box.value) : value;
    busyWhile(save, () => change("group.place.notify", { to }));
  });
  const mute = element("input", { type: "checkbox", checked: place.muted === true, "data-testid": "place-mute" });
  mute.addEventListener("change", () => change("group.place.mute", { muted: mute.checked }));
  const mayDelete = place.by === me || group.role === "owner";
  const dialog = openDialog(place.name, element("div", { class: "stack sections" },
    element("section", { class: "stack" }, present ? element("p", { "data-testid": "place-here" }, present) : null, said), form,
    element("label", { class: "choice" }, mute, element("span", {}, phrase("arrival.mute"))),
    mayDelete ? sureButton(phrase("arrival.delete"), phrase("arrival.delete.sure", { name: isolated(place.name) }), () => attempt(async () => {
      await client.request("group.place.delete", { place: id });
      dialog.close();
      toast(phrase("arrival.deleted", { name: isolated(place.name) }));
    }), { "data-testid": "place-delete" }) : null), { testid: "place-dialog" });
}

/**
 * The list of a group's places, with a button that adds one.
 * @param {() => void} onAdd picks a place on the map
 */
export function placesSection(client, group, onAdd) {
  const list = element("ul", { class: "member-list", "data-testid": "group-places" });
  const empty = element("p", { class: "hint" }, phrase("arrival.empty"));
  const names = namesOf(client, group.id);
  const places = client.groups.get(group.id)?.places ?? [];
  list.append(...places.map((place) => {
    const open = button("", () => openPlaceDialog(client, group, place.id), { class: "text", "data-testid": `group-place-${place.id}` });
    open.append(element("span", {}, place.name));
    return element("li", { class: "member-edit" }, open, element("span", { class: "hint grow" }, [hereNow(place, names), heardBy(place, names)].filter(Boolean).join(" ")));
  }));
  setShown(empty, places.length === 0);
  const add = button(phrase("arrival.add"), onAdd, { class: "text", "data-testid": "group-place-add" });
  return element("section", { class: "stack" }, element("div", { class: "row spread" }, element("h3", {}, phrase("arrival.title")), add), list, empty);
}
