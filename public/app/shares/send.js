import { makeShare } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { busyWhile, button, element, setShown, setText, stylesheet } from "../ui/dom.js";
import { choice } from "../ui/form.js";
import { people } from "../ui/names.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { pictured } from "./people.js";
import { outcomes, standings } from "./standing.js";
import { pictureOf, takeBack } from "./view.js";

const DURATIONS = [300, 900, 3600, 10_800, 28_800, 86_400];
const USUAL = 3600;

/**
 * Opens a dialog that creates and sends a picture of a group's positions.
 *
 * It shows the people in the picture and asks for names or initials and the expiry; then it shows the picture.
 * @param {object} session
 * @param {string} group
 * @param {{about?: string|null}} [options] `about`: the member who is the subject of the picture, if they can be in it
 */
export async function openSendPicture(session, group, { about = null } = {}) {
  await stylesheet("/app/shares/shares.css");
  const { name } = session.client.groups.get(group);
  const body = element("div", {});
  const form = wishForm(session, group, about, (share) => {
    const heading = element("h3", { tabindex: "-1" }, phrase("picture.made"));
    body.replaceChildren(heading, madeView(session, group, share, () => dialog.close()));
    heading.focus();
  });
  body.append(form);
  const dialog = openDialog(phrase("picture.of", { name: isolated(name) }), body, { testid: "send-picture" });
}

/** The form of the picture's options. */
function wishForm(session, group, about, onMade) {
  const known = standings(session, group);
  const on = known.filter(({ why }) => why === null);
  const whom = element("select", { id: "picture-about", "data-testid": "picture-about" },
    element("option", { value: "" }, phrase("picture.alike")),
    on.map(({ member }) => element("option", { value: member.user, selected: member.user === about }, member.user === session.me ? phrase("picture.me") : member.name)));
  const length = element("select", { id: "picture-length", "data-testid": "picture-length" },
    DURATIONS.map((seconds) => element("option", { value: seconds, selected: seconds === USUAL }, lengthOf(seconds))));
  const submit = element("button", { type: "submit", class: "filled", "data-testid": "picture-make", disabled: on.length === 0 }, phrase("picture.make"));
  const problem = element("p", { class: "wrong", role: "alert", hidden: true, "data-testid": "picture-problem" });
  const form = element("form", { class: "stack" },
    element("p", { class: "hint" }, phrase("picture.hint")),
    pictured(known, session.me),
    element("fieldset", {}, element("legend", {}, phrase("picture.names")),
      choice("names", "full", phrase("picture.names.full"), null, true, "picture-names-full"),
      choice("names", "initials", phrase("picture.names.initials"), null, false, "picture-names-initials")),
    element("div", { class: "field" }, element("label", { for: "picture-about" }, phrase("picture.from")), whom),
    element("div", { class: "field" }, element("label", { for: "picture-length" }, phrase("picture.length")), length),
    problem, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busyWhile(submit, async () => {
      setShown(problem, false);
      const wish = { names: form.elements.names.value, expiresIn: Number(length.value) };
      if (whom.value) wish.about = whom.value;
      try {
        onMade(await makeShare(location.origin, session.token, group, wish));
      } catch (error) {
        setText(problem, explain(error));
        setShown(problem, true);
      }
    });
  });
  return form;
}

/** The created picture, and the ways to send it. */
function madeView(session, group, share, onDone) {
  const found = outcomes(session, group, share.shown);
  const names = found.filter(({ why }) => why === null).map(({ member }) => member.name);
  const link = element("input", { readonly: true, value: share.url, "aria-label": phrase("picture.link"), "data-testid": "picture-link" });
  link.addEventListener("focus", () => link.select());
  const copy = button(phrase("copy"), async () => {
    try {
      await navigator.clipboard.writeText(share.url);
    } catch {
      // Without permission, or not over HTTPS, the older copy command still works on a selection.
      link.select();
      document.execCommand("copy");
    }
    toast(phrase("picture.copied"));
  }, { "data-testid": "picture-copy" });
  const ways = element("div", { class: "row" });
  const message = encodeURIComponent(`${share.text} ${share.url}`);
  ways.append(element("a", { class: "button", href: `sms:?&body=${message}`, "data-testid": "picture-sms" }, phrase("picture.message")));
  void offerShare(ways, share);
  const back = button(phrase("delete"), async () => {
    if (await takeBack(session, share.id)) onDone();
  }, { class: "danger", "data-testid": "picture-take-back" });
  return element("div", { class: "stack" },
    pictureOf(share, phrase("picture.alt", { names: people(names, names.length) })),
    element("p", { class: "hint", "data-testid": "picture-end" }, phrase("picture.until.told", { when: moment(share.expiresAt) })),
    ways, element("div", { class: "picture-link" }, link, copy),
    pictured(found, session.me), back);
}

// The file is loaded in advance: a browser shares only directly after a press.
async function offerShare(ways, { image, text, url }) {
  if (!navigator.canShare) return;
  await attempt(async () => {
    const answer = await fetch(new URL(image).pathname);
    if (!answer.ok) return;
    const file = new File([await answer.blob()], "where-we-are.png", { type: "image/png" });
    const data = [{ files: [file], text, url }, { text, url }].find((each) => navigator.canShare(each));
    if (!data) return;
    // The user cancelled: not an error.
    ways.prepend(button(phrase("picture.send"), () => navigator.share(data).catch(() => {}), { class: "filled", "data-testid": "picture-share" }));
  });
}

function lengthOf(seconds) {
  return seconds < 3600 ? phrase("time.minutes", { count: seconds / 60 }) : phrase("time.hours", { count: seconds / 3600 });
}
