import { findPosition } from "../position/find.js";
import { pickPlace } from "../places/pick-place.js";
import { openDialog } from "../shell/dialog.js";
import { focusHeading } from "../shell/focus.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element, setShown, setText, stylesheet } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { KeyedList } from "../ui/list.js";
import { placeName } from "../ui/names.js";
import { explain, isolated, moment, waiting } from "../ui/text.js";
import { phrase, phraseNodes } from "../ui/words.js";
import { foreignLink } from "./link.js";
import { Pins } from "./pins.js";
import { postForm } from "./post-form.js";

await stylesheet("/app/pins/pins.css");

/** The panel of pins: `#/places/pins` and `#/places/pins/601`. */
export class PinsPanel {
  #context;
  #own = element("section", { class: "own-pin-card stack", "aria-label": phrase("pin.own"), "data-testid": "own-pin", hidden: true });
  #ownText = element("p", { class: "pin-text" });
  #ownWhere = element("p", { class: "hint" });
  #rows;
  #list = element("ul", { class: "pins", "aria-label": phrase("pins.title"), "data-testid": "pins" });
  #total = element("p", { class: "hint", "data-testid": "pins-total" });
  #state = element("p", { class: "hint", role: "status", "data-testid": "pins-state" });
  #sources = element("p", { class: "hint", "data-testid": "pins-attribution", hidden: true });
  #more = button(phrase("showMore"), () => this.pins.readMore(), { "data-testid": "pins-more", hidden: true });
  #post = button(phrase("pin.post"), () => this.#begin(), { class: "filled", "data-testid": "pin-new" });
  pins;
  view;

  /** @param {{session: object, map: () => object|null, layer: () => object|null, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.pins = new Pins(context.session.client);
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    this.#own.append(this.#ownText, this.#ownWhere, element("div", { class: "row" },
      button(phrase("showOnMap"), () => context.go("places", ["pins", this.pins.own.id]), { class: "small", "data-testid": "own-pin-show" }),
      sureButton(phrase("delete"), phrase("pin.delete.sure"), () => this.#delete(), { class: "danger small", "data-testid": "pin-delete" })));
    this.view = element("div", { class: "stack" }, element("p", { class: "hint" }, phrase("pins.hint")),
      element("div", { class: "row" }, this.#post), this.#own, this.#total, this.#list, this.#more, this.#state, this.#sources);
    this.pins.addEventListener("change", () => this.draw());
  }

  /** Shows all pins, or with an id one of them. */
  show(id) {
    if (this.pins.state === "unread") this.pins.read();
    this.#context.layer()?.select(id ?? null);
    this.draw();
  }

  /** Draws the list. */
  draw() {
    const { all, own, total, state, error } = this.pins;
    setShown(this.#own, Boolean(own));
    if (own) {
      setText(this.#ownText, own.text);
      setText(this.#ownWhere, [phrase("pin.own"), placeName(own.label), moment(own.at)].filter(Boolean).join(" · "));
    }
    this.#rows.show(all, (pin) => pin.id);
    setShown(this.#total, all.length > 0);
    setText(this.#total, total > all.length ? phrase("pins.newest", { pins: phrase("count.pins", { count: total }), count: all.length }) : phrase("count.pins", { count: total }));
    setShown(this.#more, this.pins.hasMore);
    setText(this.#sources, this.pins.attribution.join(" · "));
    setShown(this.#sources, this.pins.attribution.length > 0);
    setText(this.#state, state === "failed" ? explain(error) : state !== "read" && all.length === 0 ? waiting(this.#context.session.client) : all.length === 0 ? phrase("pins.none") : "");
  }

  #row(id) {
    const { me } = this.#context.session;
    const said = element("strong", { class: "pin-text" });
    const line = element("span", { class: "hint" });
    const link = element("span", { "data-testid": "pin-row-link" });
    const show = button("", () => this.#context.go("places", ["pins", id]), { class: "pin-show", "data-testid": "pin-show" });
    show.append(said, line);
    let linked = null;
    return {
      item: element("li", { "data-testid": "pin", "data-pin": id }, show, link),
      show: (pin) => {
        setText(said, pin.text);
        setText(line, [pin.user.id === me ? phrase("you") : isolated(pin.user.name), placeName(pin.label), moment(pin.at)].filter(Boolean).join(" · "));
        if (linked === pin.link) return;
        linked = pin.link;
        link.replaceChildren(...[pin.link && foreignLink(pin.link)].filter(Boolean));
      },
    };
  }

  // Posting

  /** Asks for confirmation before an existing pin is replaced, then for the new one. */
  async #begin() {
    if (this.pins.own === undefined) await this.pins.read();
    const { own } = this.pins;
    if (own && !(await mayReplace(own))) return;
    this.#compose(own?.revision);
  }

  #compose(replace) {
    const form = postForm({
      onPlace: (draft) => {
        dialog.close();
        return this.#place(draft, null, replace);
      },
      onHere: async (draft) => {
        dialog.close();
        const place = await findPosition(this.#context, { noun: "pin" });
        if (place?.isPicked) await this.#send({ ...draft, lat: place.lat, lon: place.lon }, replace);
        else if (place) await this.#place(draft, place, replace);
      },
    });
    const dialog = openDialog(phrase("pin.post"), form.view, { testid: "pin-dialog" });
    form.focus();
  }

  #place(draft, at, replace) {
    return pickPlace(this.#context, {
      noun: "pin", at: at ?? this.#context.map()?.center, query: at === null ? draft.text : "",
      use: ({ lat, lon }) => this.#send({ ...draft, lat, lon }, replace),
    });
  }

  /**
   * Posts the pin. If another device has posted one meanwhile, it asks for confirmation. Returns whether the form is
   * done.
   */
  async #send(fields, replace) {
    try {
      const pin = await this.pins.post({ ...fields, ...(replace !== undefined && { replace }) });
      toast(phrase("pin.posted"));
      this.#context.go("places", ["pins", pin.id]);
      return true;
    } catch (error) {
      if (error.code === "conflict" && error.pin) return (await mayReplace(error.pin)) && this.#send(fields, error.pin.revision);
      toast(explain(error), { tone: "bad" });
      return false;
    }
  }

  async #delete() {
    if (!(await attempt(() => this.pins.deleteOwn()))) return;
    toast(phrase("pin.deleted"));
    this.#context.go("places", ["pins"]);
    focusHeading();
  }
}

/** Asks whether the user's existing pin may be replaced. */
function mayReplace({ text, label, at }) {
  return new Promise((resolve) => {
    let answer = false;
    const choose = (value) => {
      answer = value;
      dialog.close();
    };
    const dialog = openDialog(phrase("pin.replace.title"), element("div", { class: "stack" },
      element("p", {}, phraseNodes("pin.replace.sure", { text: element("strong", {}, text), about: [placeName(label), moment(at)].filter(Boolean).join(", ") })),
      element("div", { class: "row" }, button(phrase("pin.replace"), () => choose(true), { class: "filled", "data-testid": "pin-replace" }), button(phrase("pin.replace.not"), () => choose(false), { "data-testid": "pin-keep" }))), { testid: "pin-replace-dialog" });
    dialog.addEventListener("close", () => resolve(answer));
  });
}
