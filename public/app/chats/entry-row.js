import { openPhoto } from "../photos/viewer.js";
import { avatar, faceKey, hueOf } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { excerpt } from "../ui/names.js";
import { clock, explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { author, inShort } from "./words.js";

/** The time after which a press is a long one, in milliseconds, and the movement in pixels that makes it a drag. */
const LONG = 500;
const DRAG = 10;

/**
 * A row of a conversation: a message, or a pending message of the user.
 *
 * `entry.day` is a line above it; `entry.newCount` the number of new messages from it on. The first message of several by
 * one author has the name, the last has the face.
 */
export function entryRow({ session, onReply, onJump, onEdit, onDelete, onReport, onBlock, onAgain, onDiscard, onPicture, onTakeBack, onCopy }) {
  const day = element("p", { class: "chat-day" });
  const newWords = element("span", {});
  const line = element("p", { class: "chat-new", "data-testid": "chat-new" }, newWords);
  const face = element("span", { class: "face" });
  const who = element("strong", { class: "entry-who" });
  const when = element("time", { class: "entry-when" });
  const quoted = element("strong", {});
  const quote = element("span", {});
  const answered = button("", () => onJump(current.message.replyTo), { class: "entry-answered", "data-testid": "chat-answered" });
  answered.append(quoted, quote);
  const text = element("p", { class: "entry-text", "data-testid": "chat-text" });
  const photo = element("button", { type: "button", class: "entry-photo", "aria-label": phrase("photo.show") });
  const note = element("span", { class: "entry-note", "data-testid": "chat-note" });
  const again = button(phrase("chat.sendAgain"), () => onAgain(current.pending.key), { class: "small", "data-testid": "chat-again" });
  const discard = button(phrase("delete"), () => onDiscard(current.pending.key), { class: "small" });
  const failed = element("div", { class: "row" }, again, discard);
  const see = button(phrase("chat.picture.show"), () => onPicture(current.message.data.share), { class: "link", "data-testid": "chat-picture-see" });
  const takeBack = button(phrase("chat.picture.delete"), () => onTakeBack(current.message.data.share), { class: "link", "data-testid": "chat-picture-take-back" });
  const shown = element("span", {}, phrase("chat.picture.shown"));
  const sharing = element("div", { class: "entry-tools", "data-testid": "chat-picture" }, shown, see, takeBack);
  const clockMark = lineIcon("clock");
  const bubble = element("div", { class: "entry-bubble" }, who, answered, photo, text, " ", element("span", { class: "entry-end" }, note, when, clockMark), failed, sharing);
  // Only for a mouse: the keyboard opens the same menu with Shift+F10, a finger with a long press.
  const more = element("button", { type: "button", class: "icon entry-more", tabindex: "-1", "aria-label": phrase("chat.actions"), title: phrase("chat.actions"), "aria-haspopup": "menu", "data-testid": "chat-actions" }, lineIcon("more"));
  const row = element("div", { class: "entry", role: "group", tabindex: "-1", "data-testid": "chat-entry" }, face, bubble, more);
  let current = null;
  let allowed = [];
  let shownPhoto = null;

  photo.addEventListener("click", () => openPhoto(current.message.photo, {
    title: phrase("photo"), alt: phrase("photo.by", { name: who.textContent }), reporter: current.message.from?.id === session.me ? null : session.client,
  }));

  function open(at) {
    if (allowed.length === 0) return;
    row.classList.add("chosen");
    openMenu(row, allowed, { label: phrase("chat.message"), at, onClose: () => row.classList.remove("chosen") });
  }

  more.addEventListener("click", () => {
    row.focus({ preventScroll: true });
    open(more.getBoundingClientRect());
  });
  row.addEventListener("keydown", (event) => {
    const isMenuKey = event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");
    if (!isMenuKey) return;
    event.preventDefault();
    open(bubble.getBoundingClientRect());
  });
  // A mouse keeps the browser's own menu, with which text is copied and links are opened.
  let press = null;
  bubble.addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => {
    if (pointerType === "mouse") return;
    press = { x: clientX, y: clientY, timer: setTimeout(() => {
      press = null;
      row.focus({ preventScroll: true });
      open({ left: clientX, right: clientX, top: clientY, bottom: clientY });
    }, LONG) };
  });
  const ends = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) bubble.addEventListener(type, ends);
  bubble.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (press !== null && Math.hypot(clientX - press.x, clientY - press.y) > DRAG) ends();
  });
  bubble.addEventListener("contextmenu", (event) => {
    if (event.pointerType === "touch" || event.pointerType === "pen") event.preventDefault();
  });

  function showPhoto(wanted) {
    if (wanted?.url === shownPhoto?.url) return;
    shownPhoto = wanted;
    photo.replaceChildren(...(wanted ? [element("img", { src: wanted.thumb, alt: "", loading: "lazy" })] : []));
  }

  function showPending({ text: words, photo: picture, state, error, at }, about) {
    drawFace(null);
    setAttribute(row, "class", `entry own ${state}`);
    setText(who, phrase("you"));
    setText(when, clock(at));
    setText(text, words ?? "");
    showPhoto(picture);
    setShown(photo, picture !== null);
    setText(note, state === "pending" ? (about.isLive ? phrase("chat.sending") : phrase("chat.sendsLater")) : phrase("chat.failed", { why: explain(error ?? {}) }));
    setShown(answered, false);
    setShown(failed, state === "failed");
    setShown(sharing, false);
    clockMark.toggleAttribute("hidden", state !== "pending");
    allowed = words ? [{ label: phrase("chat.copy"), icon: "copy", action: () => onCopy(words), testid: "chat-copy" }] : [];
  }

  function showMessage(message, { me, isOwner, answered: find, members, now, isGone, isHidden, isLast }) {
    const isOwn = message.from?.id === me;
    const isSystem = message.kind === "system" && !message.deleted;
    setAttribute(row, "data-seq", message.seq);
    setAttribute(row, "class", `entry ${isOwn && !isSystem ? "own" : ""} ${message.deleted ? "deleted" : message.kind}`);
    // Uses the current name and face of each person.
    const named = (said) => said.from ? { ...said, from: { ...said.from, ...members?.get(said.from.id) } } : said;
    drawFace(isOwn || isSystem || !isLast ? null : named(message).from);
    setText(who, isSystem ? "" : author(named(message), { me }));
    setText(when, clock(message.at));
    setAttribute(when, "datetime", new Date(message.at).toISOString());
    setText(text, message.kind === "photo" && !message.text && !message.deleted ? "" : inShort(message, { me }));
    showPhoto(message.deleted ? null : message.photo);
    setShown(photo, Boolean(message.photo) && !message.deleted);
    setText(note, message.editedAt && !message.deleted ? phrase("chat.edited") : "");
    setShown(answered, Boolean(message.replyTo) && !message.deleted);
    if (message.replyTo) {
      const original = find(message.replyTo);
      const isKnown = original && !isHidden(original);
      setText(quoted, isKnown ? `${isolated(author(named(original), { me }))}: ` : "");
      setText(quote, !original ? phrase("chat.earlier") : isKnown ? isolated(excerpt(inShort(original, { me }), 60)) : phrase("chat.hidden"));
    }
    setShown(failed, false);
    clockMark.toggleAttribute("hidden", true);
    const shared = isSystem && message.data?.event === "picture_shared" ? message.data : null;
    const isOnIt = Boolean(shared?.shown.includes(me));
    setShown(sharing, shared !== null && shared.expiresAt > now && !isGone(shared.share));
    setShown(shown, isOnIt);
    setShown(takeBack, isOwn || isOwner || isOnIt);
    allowed = message.deleted || isSystem ? [] : actions(message, { isOwn, isOwner });
  }

  function actions(message, { isOwn, isOwner }) {
    const isForeign = !isOwn && message.from !== null;
    return [
      { label: phrase("chat.reply"), icon: "reply", action: () => onReply(message), testid: "chat-reply" },
      { label: phrase("chat.copy"), icon: "copy", action: message.text ? () => onCopy(message.text) : null, testid: "chat-copy" },
      { label: phrase("edit"), icon: "edit", action: isOwn && message.kind !== "wait" ? () => onEdit(message) : null, testid: "chat-edit" },
      null,
      { label: phrase("delete"), icon: "remove", isDanger: true, action: isOwn || isOwner ? () => onDelete(message) : null, testid: "chat-delete" },
      { label: phrase("report.open"), icon: "flag", isDanger: true, action: isOwn ? null : () => onReport(message), testid: "chat-report" },
      { label: phrase("block.open", { name: isolated(message.from?.name ?? "") }), icon: "block", isDanger: true, action: isForeign ? () => onBlock(message.from) : null, testid: "chat-block" },
    ];
  }

  let shownFace = null;
  function drawFace(person) {
    const key = person ? faceKey(person) : "";
    if (key === shownFace) return;
    shownFace = key;
    face.replaceChildren(...(person ? [avatar(person, { size: "small" })] : []));
  }

  return {
    item: element("li", {}, day, line, row),
    show(entry, about) {
      current = entry;
      setText(day, entry.day ?? "");
      setShown(day, entry.day !== null);
      setShown(line, entry.newCount > 0);
      setText(newWords, phrase("chat.new", { count: entry.newCount }));
      setAttribute(row, "tabindex", entry.isFocusable ? "0" : "-1");
      if (entry.pending) showPending(entry.pending, about);
      else showMessage(entry.message, { ...about, isLast: entry.isLast });
      row.classList.toggle("first", entry.isFirst);
      row.classList.toggle("last", entry.isLast);
      const isNameless = !entry.isFirst || row.classList.contains("own") || row.classList.contains("system");
      const author = entry.pending ? null : entry.message.from;
      setAttribute(who, "class", isNameless ? "entry-who hidden-visually" : `entry-who ${author ? `hue-${hueOf(author.id)}` : ""}`);
      setShown(more, allowed.length > 0);
    },
  };
}
