import { Chats } from "./chats.js";

export const route = "chat";
export const title = "Chat";
export const layer = null;

/** The panel of chats: `#/g/81/chat`, and one of them: `#/g/81/chat/81`. */
export function panel(context) {
  const chats = new Chats({
    session: context.session, go: ([, ...rest]) => context.go("chat", rest),
    onEvent: (id) => context.go("events", [id]), onBack: () => context.closeChat(),
  });
  return { view: chats.view, show: (rest) => chats.show(rest), draw: () => {}, hide: () => chats.show(null) };
}
