import { explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { toast } from "./toasts.js";

/** Questions between members: "where are you?", and "wait for me". */
export class Questions {
  #session;
  #inbox;

  /** @param {{session: object, inbox: object, onLocated: (user: string) => void}} options */
  constructor({ session, inbox, onLocated }) {
    this.#session = session;
    this.#inbox = inbox;
    const { client } = session;
    client.addEventListener("locate", ({ detail }) => this.#asked(detail));
    client.addEventListener("located", ({ detail: { user } }) => {
      const member = session.roster?.members.get(user);
      toast(member?.name ? phrase("locate.answered", { name: isolated(member.name) }) : phrase("locate.answered.friend"));
      if (member) onLocated(user);
    });
    client.addEventListener("locate_expired", () => toast(phrase("locate.expired")));
  }

  /**
   * Asks the gathered members to wait, and returns their number; null after a failure.
   *
   * The first request of an alert has the key of a push of it, so that no member is notified twice.
   */
  async wait({ group, notification }, eta, isChange) {
    try {
      const fields = { group, key: isChange ? `n${notification}-${eta}` : `n${notification}`, ...(eta !== null && { eta }) };
      return (await this.#session.client.request("group.wait", fields)).told;
    } catch (error) {
      toast(error.code === "gone" ? phrase("wait.gone") : explain(error), { tone: "bad" });
      return null;
    }
  }

  #asked({ request, group, from }) {
    const { client, source } = this.#session;
    const answer = async () => client.report(await source.once(), { answer: request });
    if (source.mode !== "off") return void answer().catch(() => {});
    const name = client.groups.get(group)?.name ?? phrase("locate.yourGroup");
    this.#inbox.ask(phrase("locate.title", { name: isolated(from.name) }), phrase("locate.text", { group: isolated(name) }),
      () => answer().catch((error) => toast(explain(error), { tone: "bad" })), phrase("locate.tell"));
  }
}
