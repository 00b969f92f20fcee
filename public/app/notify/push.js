import { addPushTarget, pushKey, pushSettings, pushTargets, removePushTarget, testPushTarget, updatePushSettings } from "../../muster.js";
import { worker } from "../offline/worker.js";
import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { ago } from "../ui/text.js";

/** How long the browser's push service may take, in milliseconds: a browser without a network never answers. */
const PATIENCE = 15_000;

/** The cache in which the service worker finds the code for a renewed subscription. */
const CACHE = "push";
const KEPT = "/push-target";

const WORDS = {
  name: "Notify me while Muster is closed",
  off: "Off. Friends who leave without you cannot reach you while Muster is closed.",
  on: "On. Alerts reach this browser while Muster is closed.",
  refused: "This browser blocks notifications from Muster. Allow them in its settings.",
  missing: "This browser or this server offers no notifications to a closed app.",
  iphone: "On an iPhone, add Muster to the home screen first: Share, then Add to Home Screen. Open it from there.",
  trying: "Asking the push service of your browser…",
  silent: "The push service of your browser does not answer. Try again later.",
};

/** The kinds of notifications, in the order in which they are shown. */
const KINDS = [
  ["left_without_you", "Friends are together without you"], ["wait_for_me", "Somebody asks you to wait"], ["locate", "Somebody asks where you are"],
  ["mention", "Somebody mentions you"], ["messages", "New messages"], ["plan_proposed", "Proposed plans"], ["event_soon", "Events that begin soon"],
  ["event_changed", "Changed events"], ["event_cancelled", "Cancelled events"], ["event_place", "A place in an event"], ["new_spot", "New spots near you"],
];

const TROUBLES = { no_answer: "does not answer", forbidden_address: "has an address that the server may not use", key: "must be turned on again", rejected: "is gone" };

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
  #start = element("input", { type: "time", "aria-label": "Quiet from", "data-testid": "push-quiet-start", onchange: () => this.#quiet() });
  #end = element("input", { type: "time", "aria-label": "Quiet until", "data-testid": "push-quiet-end", onchange: () => this.#quiet() });
  #more;
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.#token = session.token;
    this.#toggle = element("input", { type: "checkbox", class: "switch-box", role: "switch", "data-testid": "push", onchange: () => this.#press() });
    const off = button("No quiet hours", () => this.#change({ quiet: null }), { "data-testid": "push-quiet-off" });
    this.#more = element("details", { "data-testid": "push-more", hidden: true },
      element("summary", {}, "What is sent, and where to"),
      element("h3", {}, "Tell me about"), this.#kinds,
      element("h3", {}, "Groups"), this.#groups,
      element("h3", {}, "Quiet hours for messages and spots"), element("div", { class: "row" }, this.#start, this.#end, off),
      element("h3", {}, "Devices"), this.#targets);
    this.view = element("div", { class: "stack" },
      element("label", { class: "toggle-row" }, element("span", {}, element("span", {}, WORDS.name), this.#words), this.#toggle), this.#more);
    this.#draw("missing");
  }

  /** Loads the state of this browser, the settings and the devices. */
  async read() {
    if (this.#key === null) this.#key = await pushKey(location.origin).then(({ key }) => key, () => null);
    if (this.#key === null) return this.#draw("missing");
    await attempt(async () => {
      const [{ targets }, settings] = await Promise.all([pushTargets(location.origin, this.#token), pushSettings(location.origin, this.#token)]);
      this.#settings = settings;
      const own = targets.find((target) => target.current && target.type === "webpush" && target.disabledAt === undefined);
      const able = ability();
      const subscription = able === "off" ? await (await worker())?.pushManager.getSubscription() : null;
      this.#draw(able === "off" && own !== undefined && subscription ? "on" : able);
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
    setText(this.#words, WORDS[state]);
  }

  #press() {
    if (!this.#toggle.checked) return attempt(() => this.#turnOff());
    this.#toggle.checked = false;
    // Says what will come before the browser asks.
    const yes = button("Turn on", async () => {
      dialog.close();
      await this.#turnOn();
    }, { class: "filled", "data-testid": "push-yes" });
    const dialog = openDialog(WORDS.name, element("div", { class: "stack" },
      element("p", {}, "While Muster is closed, this browser tells you when friends are together without you, when somebody asks you to wait or where you are, and of plans, events and messages in your groups. You choose which below. Your browser asks for your permission now."),
      element("p", { class: "hint" }, "The texts are encrypted on the way. They contain names, but no positions."), yes), { testid: "push-dialog" });
  }

  async #turnOn() {
    this.#draw("trying");
    try {
      if ((await Notification.requestPermission()) !== "granted") return this.#draw(ability());
      const registration = await patiently(navigator.serviceWorker.ready);
      const subscription = await patiently(subscribe(registration, this.#key));
      const lang = document.documentElement.lang || "en";
      const { id, renew } = await addPushTarget(location.origin, this.#token, { type: "webpush", subscription: subscription.toJSON(), lang, name: browserName() });
      const kept = JSON.stringify({ id, renew, key: this.#key });
      await (await caches.open(CACHE)).put(KEPT, new Response(kept, { headers: { "Content-Type": "application/json" } }));
      await this.read();
    } catch (error) {
      if (error.code !== undefined && error.status !== undefined) {
        this.#draw(ability());
        toast(error.message);
      } else this.#draw("silent");
    }
  }

  async #turnOff() {
    const { targets } = await pushTargets(location.origin, this.#token);
    for (const target of targets) if (target.current && target.type === "webpush") await removePushTarget(location.origin, this.#token, target.id);
    await (await (await worker())?.pushManager.getSubscription())?.unsubscribe();
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
    this.#kinds.replaceChildren(...KINDS.map(([kind, words]) => check(words, kinds[kind] === true, `push-kind-${kind}`, (isOn) => this.#change({ kinds: { [kind]: isOn } }))));
    const groups = [...this.#session.client.groups.values()];
    this.#groups.replaceChildren(...groups.map(({ id, name }) => check(name, !Object.hasOwn(muted, id), `push-group-${id}`, (isOn) => this.#change({ muted: { [id]: isOn ? false : null } }))));
    this.#start.value = quiet?.start ?? "";
    this.#end.value = quiet?.end ?? "";
  }

  #drawTargets(targets) {
    const now = this.#session.client.now();
    this.#targets.replaceChildren(...targets.map((target) => {
      const test = button("Send me a test", () => busyWhile(test, () => attempt(async () => {
        await testPushTarget(location.origin, this.#token, target.id);
        toast("A test is on its way.");
      })), { "data-testid": "push-test" });
      const remove = button("Remove", () => attempt(async () => {
        await removePushTarget(location.origin, this.#token, target.id);
        await this.read();
      }), { "data-testid": "push-remove" });
      const success = target.succeededAt === undefined ? "Nothing was sent yet." : `Last reached ${ago(now - target.succeededAt)}.`;
      const trouble = target.trouble === undefined ? "" : ` It ${TROUBLES[target.trouble] ?? `answers with ${target.trouble.replace("status_", "status ")}`}.`;
      const stopped = target.disabledAt === undefined ? "" : " Nothing more is sent to it. Turn notifications on again there.";
      return element("li", { class: "stack" }, element("span", {}, target.name ?? target.place, target.current ? " (this browser)" : ""),
        element("span", { class: "hint" }, `${success}${trouble}${stopped}`), element("div", { class: "row" }, test, remove));
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
