import { openPhoto } from "../photos/viewer.js";
import { avatar } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { excerpt, isolated, moment } from "../ui/text.js";
import { author, inShort } from "./words.js";

/** A row of a conversation: a message, or a pending message of the user. */
export function entryRow({ session, onReply, onJump, onEdit, onDelete, onReport, onBlock, onAgain, onDiscard, onPicture, onTakeBack }) {
  const line = element("p", { class: "chat-new", "data-testid": "chat-new" }, element("span", {}, "New"));
  const face = element("span", { class: "face" });
  const who = element("strong", { class: "entry-who" });
  const when = element("time", { class: "entry-when" });
  const answered = button("", () => onJump(current.message.replyTo), { class: "entry-answered", "data-testid": "chat-answered" });
  const text = element("p", { class: "entry-text", "data-testid": "chat-text" });
  const photo = element("button", { type: "button", class: "entry-photo", "aria-label": "Show the photo" });
  const note = element("span", { class: "entry-note", "data-testid": "chat-note" });
  const again = button("Send again", () => onAgain(current.pending.key), { class: "small", "data-testid": "chat-again" });
  const discard = button("Discard", () => onDiscard(current.pending.key), { class: "small" });
  const failed = element("div", { class: "row" }, again, discard);
  const reply = button("Reply", () => onReply(current.message), { class: "link", "data-testid": "chat-reply" });
  const edit = button("Edit", () => onEdit(current.message), { class: "link", "data-testid": "chat-edit" });
  const remove = button("Delete", () => onDelete(current.message), { class: "link", "data-testid": "chat-delete" });
  const report = button("Report…", () => onReport(current.message), { class: "link", "aria-haspopup": "dialog", "data-testid": "chat-report" });
  const block = button("Block", () => onBlock(current.message.from), { class: "link", "data-testid": "chat-block" });
  const see = button("See it", () => onPicture(current.message.data.share), { class: "link", "data-testid": "chat-picture-see" });
  const takeBack = button("Take it back", () => onTakeBack(current.message.data.share), { class: "link", "data-testid": "chat-picture-take-back" });
  const shown = element("span", {}, "You are on it.");
  const sharing = element("div", { class: "entry-tools", "data-testid": "chat-picture" }, shown, see, takeBack);
  const tools = element("div", { class: "entry-tools" }, reply, edit, remove, report, block);
  const bubble = element("div", { class: "entry-bubble" }, element("div", { class: "entry-head" }, who, when, note), answered, photo, text, failed, sharing, tools);
  const row = element("div", { class: "entry", tabindex: "-1", "data-testid": "chat-entry" }, face, bubble);
  let current = null;
  let shownPhoto = null;

  photo.addEventListener("click", () => openPhoto(current.message.photo, {
    title: "Photo", alt: `A photo by ${who.textContent}`, reporter: current.message.from?.id === session.me ? null : session.client,
  }));

  function showPhoto(wanted) {
    if (wanted?.url === shownPhoto?.url) return;
    shownPhoto = wanted;
    photo.replaceChildren(...(wanted ? [element("img", { src: wanted.thumb, alt: "", loading: "lazy" })] : []));
  }

  function showPending({ text: words, photo: picture, state, error, at }, about) {
    drawFace({ id: about.me, name: session.client.user?.name ?? "" }, about);
    setAttribute(row, "class", `entry own ${state}`);
    setText(who, "You");
    setText(when, moment(at));
    setText(text, words ?? "");
    showPhoto(picture);
    setShown(photo, picture !== null);
    setText(note, state === "pending" ? "Sending…" : `Not sent: ${error?.message ?? ""}`);
    setShown(answered, false);
    setShown(failed, state === "failed");
    setShown(tools, false);
    setShown(sharing, false);
  }

  function showMessage(message, { me, isOwner, answered: find, members, now, isGone, isHidden }) {
    const isOwn = message.from?.id === me;
    const isSystem = message.kind === "system" && !message.deleted;
    setAttribute(row, "data-seq", message.seq);
    setAttribute(row, "class", `entry ${isOwn && !isSystem ? "own" : ""} ${message.deleted ? "deleted" : message.kind}`);
    // Uses the current name and face of each person.
    const named = (said) => said.from ? { ...said, from: { ...said.from, ...members?.get(said.from.id) } } : said;
    if (message.from) drawFace(named(message).from);
    setText(who, isSystem ? "" : author(named(message), { me }));
    setText(when, moment(message.at));
    setAttribute(when, "datetime", new Date(message.at).toISOString());
    setText(text, message.kind === "photo" && !message.text && !message.deleted ? "" : inShort(message, { me }));
    showPhoto(message.deleted ? null : message.photo);
    setShown(photo, Boolean(message.photo) && !message.deleted);
    setText(note, message.editedAt ? "edited" : "");
    setShown(answered, Boolean(message.replyTo) && !message.deleted);
    if (message.replyTo) {
      const original = find(message.replyTo);
      setText(answered, !original ? "↩ An earlier message" : isHidden(original) ? "↩ A hidden message" : `↩ ${isolated(author(named(original), { me }))}: ${isolated(excerpt(inShort(original, { me }), 60))}`);
    }
    setShown(failed, false);
    const shared = isSystem && message.data?.event === "picture_shared" ? message.data : null;
    const isOnIt = Boolean(shared?.shown.includes(me));
    setShown(sharing, shared !== null && shared.expiresAt > now && !isGone(shared.share));
    setShown(shown, isOnIt);
    setShown(takeBack, isOwn || isOwner || isOnIt);
    const speaks = !message.deleted && !isSystem;
    setShown(tools, speaks);
    setShown(edit, speaks && isOwn && message.kind !== "wait");
    setShown(remove, speaks && (isOwn || isOwner));
    setShown(report, speaks && !isOwn);
    setShown(block, speaks && !isOwn && message.from !== null);
  }

  let shownFace = "";
  function drawFace(person) {
    const key = `${person.name}|${person.avatar ?? ""}`;
    if (key === shownFace) return;
    shownFace = key;
    face.replaceChildren(avatar(person, { size: "small" }));
  }

  return {
    item: element("li", {}, line, row),
    show(entry, about) {
      current = entry;
      setShown(line, Boolean(entry.isFirstNew));
      if (entry.pending) showPending(entry.pending, about);
      else showMessage(entry.message, about);
    },
  };
}
