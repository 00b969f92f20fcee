import * as L from "/vendor/leaflet/leaflet.esm.js";
import { element, setShown, setText } from "./dom.js";
import { Glide } from "./glide.js";
import { avatar, describe, presenceWord } from "./person.js";
import { distance } from "./text.js";

/** Accuracy circles smaller than this are under the marker anyway. */
const SMALLEST_CIRCLE = 15;

/** One member on the map: a marker with picture or initials, the circle of its accuracy, and a callout. */
export class MemberMarker {
  #map;
  #marker;
  #circle;
  #glide;
  #pin;
  #callout;
  #face = "";
  #dragging = false;
  #actions;

  /**
   * @param {{onMoved: Function, onAsk: (user: string) => void}} actions `onMoved(lat, lon, {final})`: dragged or by keys
   * @param {L.Point} room the right and lower part of the map where no callout should be
   */
  constructor(map, member, actions, room) {
    this.#map = map;
    this.#actions = actions;
    const at = [member.lat, member.lon];
    this.#pin = element("div", { class: "pin" });
    this.#callout = this.#makeCallout(member.user);
    this.#circle = L.circle(at, { radius: 0, className: "accuracy", interactive: false, pane: "accuracy" });
    this.#marker = L.marker(at, {
      icon: L.divIcon({ className: "person", html: this.#pin, iconSize: [44, 44], iconAnchor: [22, 22] }),
      riseOnHover: true,
      draggable: false,
    });
    this.#marker.bindPopup(this.#callout.root, { closeButton: false, className: "callout", offset: [0, -14], minWidth: 220, maxWidth: 280, autoPanPaddingTopLeft: [24, 24], autoPanPaddingBottomRight: room });
    this.#circle.addTo(map);
    this.#marker.addTo(map);
    const handle = this.#marker.getElement();
    handle.setAttribute("role", "button");
    handle.dataset.testid = `marker-${member.user}`;
    handle.addEventListener("keydown", (event) => this.#step(event));
    this.#marker.on("dragstart", () => {
      this.#dragging = true;
      this.#glide.stop();
      this.#marker.closePopup();
    });
    this.#marker.on("popupopen", () => {
      this.#marker.getPopup().getElement().style.translate = this.#marker.getElement().style.translate;
    });
    this.#marker.on("drag", () => this.#moved(false));
    this.#marker.on("dragend", () => {
      this.#moved(true);
      this.#dragging = false;
    });
    this.#glide = new Glide(member.lat, member.lon, (lat, lon) => {
      this.#marker.setLatLng([lat, lon]);
      this.#circle.setLatLng([lat, lon]);
    });
  }

  /** Shows a member as they are now. `walkable`: it is one's own, and may be moved by hand. */
  show(member, { now, isMe, walkable, together }) {
    const { freshness, line, label } = describe(member, { now, isMe });
    const face = `${member.name}|${member.avatar}`;
    if (face !== this.#face) {
      this.#face = face;
      this.#pin.replaceChildren(avatar(member));
      this.#callout.face.replaceChildren(avatar(member, { size: "large" }));
    }
    this.#pin.className = `pin ${freshness} ${member.presence ?? "offline"} ${isMe ? "me" : ""} ${walkable ? "walkable" : ""} ${together ? "together" : ""}`;
    const handle = this.#marker.getElement();
    const hint = walkable ? ". Arrow keys move you" : "";
    if (handle.getAttribute("aria-label") !== label + hint) handle.setAttribute("aria-label", label + hint);
    handle.dataset.name = member.name;
    handle.dataset.lat = member.lat;
    handle.dataset.lon = member.lon;
    handle.dataset.freshness = freshness;
    this.#marker.setZIndexOffset(isMe ? 1000 : freshness === "stale" ? -500 : 0);
    if (walkable) this.#marker.dragging.enable();
    else this.#marker.dragging.disable();

    setText(this.#callout.name, isMe ? `${member.name} (you)` : member.name);
    setText(this.#callout.line, line);
    const details = [presenceWord(member.presence)];
    if (member.accuracy >= 1) details.push(`± ${distance(member.accuracy)}`);
    if (member.speed >= 0.5 && freshness === "live") details.push(`${Math.round(member.speed * 3.6)} km/h`);
    if (typeof member.battery === "number") details.push(`battery ${Math.round(member.battery * 100)} %`);
    setText(this.#callout.details, details.join(" · "));
    setShown(this.#callout.ask, !isMe && freshness === "stale");

    const radius = member.accuracy >= SMALLEST_CIRCLE ? member.accuracy : 0;
    this.#circle.setRadius(radius);
    this.#circle.getElement()?.classList.toggle("stale", freshness === "stale");
    // Leaflet would draw a circle without a radius as a dot.
    this.#circle.getElement()?.classList.toggle("none", radius === 0);
    if (!this.#dragging) this.#glide.moveTo(member.lat, member.lon);
  }

  /** Whether one may move it by hand. */
  get isWalkable() {
    return this.#marker.dragging.enabled();
  }

  /** Where on the screen it is, or will be when it has glided there: from a corner that stays while the map is panned. */
  get point() {
    const { lat, lng } = this.#dragging ? this.#marker.getLatLng() : { lat: this.#glide.target.lat, lng: this.#glide.target.lon };
    const { x, y } = this.#map.project([lat, lng]);
    return { x, y };
  }

  /** Stands so many pixels beside its place. */
  lean({ x, y }) {
    const wanted = x === 0 && y === 0 ? "" : `${x}px ${y}px`;
    // Leaflet places the marker and its callout by `transform`; `translate` adds to it.
    for (const part of [this.#marker, this.#marker.getPopup()]) {
      const style = part.getElement()?.style;
      if (style && style.translate !== wanted) style.translate = wanted;
    }
  }

  /** Centres the map on the member and opens the callout. */
  focus() {
    // Opened while the map still moves, the callout would stop it to make itself visible. Not `once`, which in
    // Leaflet 1.7 forgets its listener only after it ran: making itself visible, the callout moves the map again.
    const open = () => {
      this.#map.off("moveend", open);
      this.#marker.openPopup();
    };
    this.#map.stop();
    this.#map.on("moveend", open);
    this.#map.setView([this.#glide.target.lat, this.#glide.target.lon], Math.max(this.#map.getZoom(), 15));
  }

  /** Puts the keyboard on the marker. */
  focusKeyboard() {
    this.#marker.getElement().focus();
  }

  /** Takes the member off the map. */
  remove() {
    this.#glide.stop();
    this.#marker.remove();
    this.#circle.remove();
  }

  #moved(final) {
    const { lat, lng } = this.#marker.getLatLng().wrap();
    this.#circle.setLatLng([lat, lng]);
    this.#actions.onMoved(lat, lng, { final });
  }

  #step(event) {
    if (event.key === " ") {
      event.preventDefault();
      this.#marker.togglePopup();
    } else if (event.key === "Escape") {
      this.#marker.closePopup();
    }
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const step = steps[event.key];
    if (!step || !this.#marker.dragging.enabled()) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 48 : 12;
    const point = this.#map.latLngToContainerPoint([this.#glide.target.lat, this.#glide.target.lon]);
    const { lat, lng } = this.#map.containerPointToLatLng(point.add([step[0] * size, step[1] * size])).wrap();
    this.#glide.jumpTo(lat, lng);
    if (!this.#map.getBounds().pad(-0.1).contains([lat, lng])) this.#map.panTo([lat, lng]);
    this.#actions.onMoved(lat, lng, { final: false });
  }

  #makeCallout(user) {
    const face = element("div", {});
    const name = element("strong", { class: "callout-name" });
    const line = element("p", { class: "callout-line" });
    const details = element("p", { class: "callout-details" });
    const close = element("button", { type: "button", class: "icon", "aria-label": "Close" }, "×");
    close.addEventListener("click", () => {
      this.#marker.closePopup();
      this.focusKeyboard();
    });
    const ask = element("button", { type: "button", class: "small", "data-testid": `ask-${user}` }, "Ask where they are");
    ask.addEventListener("click", () => this.#actions.onAsk(user));
    const root = element("div", { "data-testid": `callout-${user}` },
      element("div", { class: "callout-head" }, face, element("div", { class: "callout-words" }, name, line), close), details, ask);
    // Leaflet listens for Escape only while the map itself has the focus, not what is in it.
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#marker.closePopup();
      this.focusKeyboard();
    });
    return { root, face, name, line, details, ask };
  }
}
