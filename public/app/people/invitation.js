import { element } from "../ui/dom.js";
import { phraseNodes } from "../ui/words.js";

/** Who invites to which group, as the server told it before the user has joined: the contents of a paragraph. */
export function invitation({ group, inviter }) {
  return phraseNodes("join.invitation", { inviter: element("strong", {}, inviter.name), group: element("strong", {}, group.name), count: group.members });
}
