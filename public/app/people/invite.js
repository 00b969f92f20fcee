import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { copy } from "../ui/copy.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { explain, isolated } from "../ui/text.js";
import { longDay } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The newest link of each group, as long as the page is open. */
const links = new Map();

/** The invite link of a group, made at once: a QR code, the address, and the ways to pass it on. */
export function inviteSection(client, group) {
  const until = element("p", { class: "hint" }, phrase("invite.hint"));
  const code = element("div", { class: "qr" });
  const address = element("input", { readonly: true, "aria-label": phrase("invite.link"), "data-testid": "invite-url" });
  address.addEventListener("focus", () => address.select());
  const problem = element("p", { class: "wrong", role: "alert", hidden: true, "data-testid": "invite-problem" });
  const again = button(phrase("tryAgain"), () => make(), { "data-testid": "invite-create", hidden: true });
  const share = button(phrase("invite.share"), () => pass(), { class: "filled wide", "data-testid": "invite-share" });
  share.prepend(lineIcon("share"));
  const copied = button(phrase("copy"), () => copy(address.value, phrase("invite.copied")), { class: "text", "data-testid": "invite-copy" });
  const renew = button(phrase("invite.renew"), () => replace(), { class: "text wide", "data-testid": "invite-revoke" });
  const ready = element("div", { class: "stack" }, element("div", { class: "invite-link" }, address, copied), share, group.role === "owner" ? renew : null);
  const view = element("section", { class: "stack invite", "aria-label": phrase("invite") }, element("div", { class: "invite-head" }, until, code), problem, again, ready);

  /** Opens the system's way to share, or copies the link where there is none. */
  async function pass() {
    // The user cancelled: not an error.
    if (navigator.share) await navigator.share({ title: group.name, url: address.value }).catch(() => {});
    else await copy(address.value, phrase("invite.copied"));
  }

  async function make() {
    setShown(problem, false);
    setShown(again, false);
    try {
      const known = links.get(group.id);
      if (!known || known.expiresAt <= client.now()) links.set(group.id, await client.request("group.invite", { group: group.id }));
      show(links.get(group.id));
    } catch (error) {
      setText(problem, explain(error));
      setShown(problem, true);
      setShown(again, true);
    }
  }

  async function replace() {
    await attempt(async () => {
      await client.request("group.revoke", { code: links.get(group.id).code });
      links.delete(group.id);
      await make();
      toast(phrase("invite.renewed"));
    });
  }

  function show({ url, expiresAt }) {
    setShown(ready, true);
    address.value = url;
    setText(until, phrase("invite.until", { day: longDay(expiresAt) }));
    draw(url).catch(() => {});
  }

  // Without the module the link and the other ways remain.
  async function draw(url) {
    const { qrCode } = await import("../ui/qr.js");
    code.replaceChildren(...[drawing(qrCode(url))].filter(Boolean));
  }

  setShown(ready, links.has(group.id));
  void busyWhile(share, make);
  return view;
}

/** Opens the invite link of a group. */
export function openInviteDialog(client, group) {
  openDialog(phrase("invite.title", { name: isolated(group.name) }), inviteSection(client, group), { testid: "invite-dialog" });
}

/** A QR code as one path, with the margin of four modules that scanners need; null for a text that is too long. */
function drawing(rows) {
  if (rows === null) return null;
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": phrase("invite.code"), "data-testid": "invite-qr", "shape-rendering": "crispEdges" })) svg.setAttribute(name, value);
  const modules = document.createElementNS("http://www.w3.org/2000/svg", "path");
  modules.setAttribute("d", path);
  svg.append(modules);
  return svg;
}
