import { addPushTarget, pushSettings, pushTargets, removePushTarget, testPushTarget, updatePushSettings } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { explain } from "../ui/text.js";
import { ago } from "../ui/times.js";
import { language, phrase } from "../ui/words.js";

/** How long the browser's push service may take, in milliseconds: a browser without a network never answers. */
const PATIENCE = 15_000;

/** The cache in which the service worker finds the code for a renewed subscription, and the words of failures. */
const CACHE = "push";
const KEPT = "/push-target";

/** The kinds of notifications, in the order in which they are shown. */
const KINDS = ["left_without_you", "wait_for_me", "locate", "mention", "messages", "plan_proposed", "event_soon", "event_changed", "event_cancelled", "event_place", "place_arrived", "place_left", "new_spot"];

/** Why nothing reaches a device, where it is known. Other reasons have the status of an answer. */
const TROUBLES = ["no_answer", "forbidden_address", "key", "rejected"];

/** Whether this browser can subscribe: `off`, `refused`, `missing`, or `iphone` where the page must be installed first. */
function ability() {
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  if (/iPhone|iPad/.test(navigator.userAgent) && !isInstalled) return "iphone";
  if (!("Notification" in window) || !("PushManager" in window) || navigator.serviceWorker === undefined) return "missing";
  return Notification.permission === "denied" ? "refused" : "off";
}

/** Fails after a while. */
function patiently(promise) {
  return Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error("silent")), PATIENCE))]);
}

/** Subscribes this browser to the server's key, anew when that key has changed. */
async function subscribe(registration, key) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const known = await registration.pushManager.getSubscription();
  if (known !== null && encoded(known.options.applicationServerKey) !== key) await known.unsubscribe();
  return registration.pushManager.subscribe(options);
}

/** The subscription of this browser, null without one. The worker may be that of an earlier page, and not be started by this one yet. */
async function subscription() {
  return (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;
}

/** The language in which this browser gets notifications; null when it is not known. */
async function keptLanguage() {
  const kept = await (await caches.open(CACHE)).match(KEPT);
  return kept === undefined ? null : ((await kept.json()).language ?? null);
}

function encoded(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The switch for notifications to the closed app, and below it what is sent, when, and where to. */
export class PushPanel {
  #token;
  #session;
  #key = null;
  #state = "missing";
  #settings = null;
  #toggle;
  #words = element("span", { class: "hint", role: "status", "data-testid": "push-words" });
  #kinds = element("div", { class: "stack", "data-testid": "push-kinds" });
  #groups = element("div", { class: "stack", "data-testid": "push-groups" });
  #targets = element("ul", { class: "plain stack", "data-testid": "push-targets" });
  #start = element("input", { type: "time", "aria-label": phrase("push.quiet.from"), "data-testid": "push-quiet-start", onchange: () => this.#quiet() });
  #end = element("input", { type: "time", "aria-label": phrase("push.quiet.until"), "data-testid": "push-quiet-end", onchange: () => this.#quiet() });
  #more;
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.#token = session.token;
    this.#toggle = element("input", { type: "checkbox", class: "switch-box", role: "switch", "data-testid": "push", onchange: () => this.#press() });
    const off = button(phrase("push.quiet.none"), () => this.#change({ quiet: null }), { "data-testid": "push-quiet-off" });
    this.#more = element("details", { "data-testid": "push-more", hidden: true },
      element("summary", {}, phrase("push.more")),
      element("h3", {}, phrase("push.kinds")), this.#kinds,
      element("h3", {}, phrase("groups.title")), this.#groups,
      element("h3", {}, phrase("push.quiet")), element("div", { class: "row" }, this.#start, this.#end, off),
      element("h3", {}, phrase("push.devices")), this.#targets);
    this.view = element("div", { class: "stack" },
      element("label", { class: "toggle-row" }, element("span", {}, element("span", {}, phrase("push.name")), this.#words), this.#toggle), this.#more);
    this.#draw("missing");
  }

  /** Loads the state of this browser, the settings and the devices. */
  async read() {
    await attempt(async () => {
      const [{ targets }, settings] = await Promise.all([pushTargets(location.origin, this.#token), pushSettings(location.origin, this.#token)]);
      this.#key = settings.key ?? null;
      if (this.#key === null) return this.#draw("missing");
      this.#settings = settings;
      const own = targets.find((target) => target.current && target.type === "webpush" && target.disabledAt === undefined);
      const able = ability();
      const known = able === "off" ? await subscription() : null;
      const isOn = able === "off" && own !== undefined && known !== null;
      // The server's key has changed, as after its secret key: the push service refuses the old subscription.
      const isOutdated = isOn && (encoded(known.options.applicationServerKey) !== this.#key || (await keptLanguage()) !== language);
      if (isOutdated) return this.#turnOn();
      this.#draw(isOn ? "on" : able);
      this.#drawTargets(targets);
      this.#drawSettings();
      setShown(this.#more, targets.length > 0);
    });
  }

  #draw(state) {
    this.#state = state;
    const isSwitch = ["off", "on", "trying", "silent"].includes(state);
    setShown(this.#toggle, isSwitch);
    this.#toggle.checked = state === "on";
    this.#toggle.disabled = state === "trying";
    setText(this.#words, phrase(`push.${state}`));
  }

  #press() {
    if (!this.#toggle.checked) return attempt(() => this.#turnOff());
    this.#toggle.checked = false;
    // Says what will come before the browser asks.
    const yes = button(phrase("push.turnOn"), async () => {
      dialog.close();
      await this.#turnOn();
    }, { class: "filled", "data-testid": "push-yes" });
    const dialog = openDialog(phrase("push.name"), element("div", { class: "stack" },
      element("p", {}, phrase("push.ask")),
      element("p", { class: "hint" }, phrase("push.ask.hint")), yes), { testid: "push-dialog" });
  }

  async #turnOn() {
    this.#draw("trying");
    try {
      if ((await Notification.requestPermission()) !== "granted") return this.#draw(ability());
      const registration = await patiently(navigator.serviceWorker.ready);
      const fresh = await patiently(subscribe(registration, this.#key));
      const { id, renew } = await addPushTarget(location.origin, this.#token, { type: "webpush", subscription: fresh.toJSON(), lang: language, name: browserName() });
      const words = { late: phrase("push.act.late"), refused: phrase("push.act.refused"), unreachable: phrase("push.act.unreachable") };
      const kept = JSON.stringify({ id, renew, key: this.#key, language, words });
      await (await caches.open(CACHE)).put(KEPT, new Response(kept, { headers: { "Content-Type": "application/json" } }));
      await this.read();
    } catch (error) {
      if (error.code !== undefined && error.status !== undefined) {
        this.#draw(ability());
        toast(explain(error), { tone: "bad" });
      } else this.#draw("silent");
    }
  }

  async #turnOff() {
    const { targets } = await pushTargets(location.origin, this.#token);
    for (const target of targets) if (target.current && target.type === "webpush") await removePushTarget(location.origin, this.#token, target.id);
    await (await subscription())?.unsubscribe();
    await caches.delete(CACHE);
    await this.read();
  }

  #change(changes) {
    return attempt(async () => {
      this.#settings = await updatePushSettings(location.origin, this.#token, changes);
      this.#drawSettings();
    });
  }

  #quiet() {
    if (!this.#start.value || !this.#end.value) return;
    const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
    void this.#change({ quiet: { start: this.#start.value, end: this.#end.value, tz } });
  }

  #drawSettings() {
    const { kinds, muted, quiet } = this.#settings;
    this.#kinds.replaceChildren(...KINDS.map((kind) => check(phrase(`push.kind.${kind}`), kinds[kind] === true, `push-kind-${kind}`, (isOn) => this.#change({ kinds: { [kind]: isOn } }))));
    const groups = [...this.#session.client.groups.values()];
    this.#groups.replaceChildren(...groups.map(({ id, name }) => check(name, !Object.hasOwn(muted, id), `push-group-${id}`, (isOn) => this.#change({ muted: { [id]: isOn ? false : null } }))));
    this.#start.value = quiet?.start ?? "";
    this.#end.value = quiet?.end ?? "";
  }

  #drawTargets(targets) {
    const now = this.#session.client.now();
    this.#targets.replaceChildren(...targets.map((target) => {
      const test = button(phrase("push.test"), () => attempt(async () => {
        await testPushTarget(location.origin, this.#token, target.id);
        toast(phrase("push.test.sent"));
      }), { "data-testid": "push-test" });
      const remove = button(phrase("remove"), () => attempt(async () => {
        await removePushTarget(location.origin, this.#token, target.id);
        await this.read();
      }), { "data-testid": "push-remove" });
      const success = target.succeededAt === undefined ? phrase("push.unsent") : phrase("push.reached", { ago: ago(now - target.succeededAt) });
      const trouble = target.trouble === undefined ? "" : TROUBLES.includes(target.trouble) ? phrase(`push.trouble.${target.trouble}`) : phrase("push.trouble", { status: target.trouble.replace("status_", "") });
      const stopped = target.disabledAt === undefined ? "" : phrase("push.stopped");
      return element("li", { class: "stack" }, element("span", {}, target.current ? phrase("push.thisBrowser", { name: target.name ?? target.place }) : (target.name ?? target.place)),
        element("span", { class: "hint" }, [success, trouble, stopped].filter(Boolean).join(" ")), element("div", { class: "row" }, test, remove));
    }));
  }
}

function check(words, isOn, testid, onChange) {
  const input = element("input", { type: "checkbox", class: "switch-box", role: "switch", "data-testid": testid, onchange: () => onChange(input.checked) });
  input.checked = isOn;
  return element("label", { class: "toggle-row" }, element("span", {}, words), input);
}

/** A name by which the user knows this browser again. */
function browserName() {
  const { userAgent } = navigator;
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => userAgent.includes(name)) ?? "Browser";
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find((name) => userAgent.includes(name));
  const called = browser === "Edg" ? "Edge" : browser;
  return system === undefined ? called : `${called} on ${system}`;
}
