import { button, element, setShown, setText } from "../ui/dom.js";
import { isOfNetwork } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { CHAT, HOME, SECTIONS, sectionOf } from "./sections.js";

/** The panels and layers of the visited sections, of which one is shown. On a wide page the chat is beside it. */
export class Views {
  #layout;
  #contextOf;
  #views = new Map();
  #map = null;
  #isClosed = false;
  #missing;
  /** The route of the shown section; null before the first. */
  shown = null;

  /**
   * @param {object} layout
   * @param {(view: object) => object} contextOf creates the context of a section, see `sections.js`
   * @param {() => void} onRetry
   */
  constructor(layout, contextOf, onRetry) {
    this.#layout = layout;
    this.#contextOf = contextOf;
    this.#missing = new Missing(onRetry);
    layout.body.append(this.#missing.view);
  }

  /** The loaded view of a section: `{panel, layer, rest}`. */
  get(route) {
    return this.#views.get(route);
  }

  /** Imports a section and returns its view; null without a connection, or after an error. */
  async load(route) {
    try {
      const module = await sectionOf(route).load();
      return this.#views.get(route) ?? (this.#isClosed ? null : this.#add(route, module));
    } catch (error) {
      console.error(error);
      this.#missing.explain(error);
      return null;
    }
  }

  #add(route, module) {
    const view = { module, layer: null, hasLayer: false, rest: [] };
    view.context = this.#contextOf(view);
    view.panel = module.panel(view.context);
    view.panel.view.classList.add("section");
    setShown(view.panel.view, false);
    this.#views.set(route, view);
    this.#layout.placeOf(route).append(view.panel.view);
    void this.#addLayer(view);
    return view;
  }

  /** Shows a section, or that its module is missing. In a dock the chat is shown beside the last other section. */
  show(route, view, rest) {
    const isDocked = route === CHAT && this.#layout.hasDock;
    const panel = isDocked ? (this.shown ?? HOME) : route;
    setShown(this.#missing.view, view === null);
    if (isDocked) this.#layout.openDock(true);
    if (panel !== this.shown) this.#layout.body.scrollTop = 0;
    this.shown = panel;
    if (view !== null) view.rest = rest;
    this.place();
    view?.panel.show(rest);
  }

  /** Puts the views into their places, after the shown section or the width of the page has changed. */
  place() {
    for (const [route, { panel, layer, rest }] of this.#views) {
      const place = this.#layout.placeOf(route);
      if (panel.view.parentElement !== place) place.append(panel.view);
      const isShown = route === this.shown || (route === CHAT && this.#layout.isDockOpen);
      if (!isShown && !panel.view.hidden) panel.hide?.();
      else if (isShown && panel.view.hidden) panel.show(rest);
      setShown(panel.view, isShown);
      layer?.setActive(route === this.shown);
    }
  }

  /** Adds the layers to the map. */
  async addLayers(map) {
    this.#map = map;
    for (const view of this.#views.values()) void this.#addLayer(view);
    // The members are on the map in every section.
    await this.load(HOME);
  }

  /** Draws the shown panels and all layers. */
  draw() {
    for (const [route, { panel }] of this.#views) if (route === this.shown || route === CHAT) panel.draw();
    for (const { layer } of this.#views.values()) layer?.draw();
  }

  /** Calls `act` with each attendant, see `sections.js`. */
  async attend(act) {
    for (const { attend } of SECTIONS) {
      const module = await attend?.().catch(() => null);
      if (module && !this.#isClosed) act(module);
    }
  }

  /** Removes the layers. */
  close() {
    this.#isClosed = true;
    for (const { layer } of this.#views.values()) layer?.remove();
  }

  async #addLayer(view) {
    if (this.#map === null || view.hasLayer || view.module.layer === null) return;
    view.hasLayer = true;
    let layer;
    try {
      layer = await view.module.layer({ ...view.context, map: this.#map, stage: this.#layout.stage });
    } catch (error) {
      // Without a connection the layer comes with the next visit.
      view.hasLayer = false;
      if (!isOfNetwork(error)) console.error(error);
      return;
    }
    if (this.#isClosed) return;
    view.layer = layer;
    layer.setActive(this.shown === view.module.route);
    layer.draw();
    if (this.shown === view.module.route) view.panel.show(view.rest);
  }
}

/** What stands in place of a section that cannot be opened. */
class Missing {
  #title = element("h2", {});
  #line = element("p", { class: "hint" });
  #retry;
  #reload = button(phrase("reload"), () => location.reload(), { class: "filled", "data-testid": "section-reload" });
  view;

  /** @param {() => void} onRetry */
  constructor(onRetry) {
    this.#retry = button(phrase("retry"), onRetry, { class: "filled", "data-testid": "section-retry" });
    this.view = element("section", { class: "empty", "data-testid": "needs-connection", hidden: true }, this.#title, this.#line, this.#retry, this.#reload);
  }

  /** Says why the section cannot be opened. */
  explain(error) {
    const isNetwork = isOfNetwork(error);
    setText(this.#title, isNetwork ? phrase("offline.needed") : phrase("section.broken"));
    setText(this.#line, isNetwork ? phrase("offline.needed.hint") : phrase("section.broken.hint"));
    setShown(this.#retry, isNetwork);
    setShown(this.#reload, !isNetwork);
  }
}
