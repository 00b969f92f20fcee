import { MusterError, revokeShare, shares } from "../../muster.js";
import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { button, element, stylesheet } from "../ui/dom.js";
import { people } from "../ui/names.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The image element of a share picture, by its path: the server's public host name may differ from this page's. */
export function pictureOf({ image }, alt) {
  return element("img", { class: "picture", src: new URL(image).pathname, width: 1200, height: 630, alt, "data-testid": "picture" });
}

/**
 * Revokes a picture.
 * @returns {Promise<boolean>} whether it is revoked now, by this or another request
 */
export async function takeBack(session, share) {
  try {
    await revokeShare(location.origin, session.token, share);
    toast(phrase("picture.deleted"));
    return true;
  } catch (error) {
    const isGone = error instanceof MusterError && (error.code === "gone" || error.code === "not_found");
    toast(isGone ? phrase("picture.deleted.before") : error.code === "forbidden" ? phrase("picture.forbidden") : explain(error), { tone: isGone ? "plain" : "bad" });
    return isGone;
  }
}

/** Whether the user may revoke a picture of a group. */
export function mayTakeBack(session, group, { by, shown }) {
  return by.id === session.me || shown.includes(session.me) || session.client.groups.get(group)?.role === "owner";
}

/** Shows a picture of a group by its id; `onGone` is called when it no longer exists. */
export async function openPicture(session, group, id, { onGone = () => {} } = {}) {
  await stylesheet("/app/shares/shares.css");
  let share;
  try {
    share = (await shares(location.origin, session.token, group)).find((each) => each.id === id);
  } catch (error) {
    return toast(explain(error), { tone: "bad" });
  }
  if (!share) {
    onGone();
    return toast(phrase("picture.over"));
  }
  const members = session.client.rosters.get(group)?.members;
  const names = share.shown.map((user) => (user === session.me ? phrase("you.shown") : members?.get(user)?.name ?? phrase("somebody.shown")));
  const who = share.by.id === session.me
    ? phrase("picture.who.you", { when: moment(share.at), names: people(names, names.length) })
    : phrase("picture.who", { name: isolated(share.by.name), when: moment(share.at), names: people(names, names.length) });
  const back = button(phrase("delete"), async () => {
    if (!(await takeBack(session, id))) return;
    onGone();
    dialog.close();
  }, { class: "danger", "data-testid": "picture-take-back" });
  const content = element("div", { class: "stack" },
    share.image ? pictureOf(share, phrase("picture.alt.who", { who })) : element("p", { class: "hint" }, phrase("picture.unknown")),
    element("p", { "data-testid": "picture-who" }, who),
    element("p", { class: "hint" }, phrase("picture.until", { when: moment(share.expiresAt) })),
    mayTakeBack(session, group, share) ? back : null);
  const dialog = openDialog(phrase("picture.title"), content, { testid: "picture-dialog" });
}
