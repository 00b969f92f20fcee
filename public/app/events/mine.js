import { attempt } from "../shell/toasts.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { explain, waiting } from "../ui/text.js";
import { showUnread } from "../chats/badge.js";
import { phrase } from "../ui/words.js";
import { CalendarAddress } from "./calendar.js";
import { eventRow } from "./words.js";

/** The number of events in a page. */
const PAGE = 50;

/** The events that the user hosts or has answered, and the address of their calendar feed. */
export class Mine {
  #context;
  #list = element("ol", { class: "event-list", "data-testid": "my-events" });
  #rows;
  #state = element("p", { class: "hint", role: "status" });
  #more = button(phrase("showMore"), () => attempt(() => this.#read(this.#next)), { hidden: true });
  #calendar;
  #events = [];
  #next = null;
  #isRead = false;
  view;

  constructor(context) {
    this.#context = context;
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    this.#calendar = new CalendarAddress(context.session);
    this.view = element("section", { class: "stack", "aria-label": phrase("events.mine.title"), hidden: true }, this.#list, this.#more, this.#state, this.#calendar.view);
    const { client } = context.session;
    client.addEventListener("event", () => {
      if (!this.view.hidden) this.read();
    });
    for (const type of ["rooms", "chat"]) client.addEventListener(type, () => !this.view.hidden && this.#rows.show(this.#events, ({ id }) => id));
  }

  /** Reloads the first page. */
  async read() {
    this.draw();
    try {
      await this.#read(null);
    } catch (error) {
      setText(this.#state, explain(error));
    }
  }

  /** Says why nothing is shown. */
  draw() {
    if (!this.#isRead) setText(this.#state, waiting(this.#context.session.client));
  }

  async #read(after) {
    const { events, next, calendar } = await this.#context.session.client.request("events.mine", { limit: PAGE, ...(after && { after }) });
    const known = new Set(events.map(({ id }) => id));
    this.#events = after === null ? events : [...this.#events.filter(({ id }) => !known.has(id)), ...events];
    this.#next = next;
    this.#isRead = true;
    this.#rows.show(this.#events, ({ id }) => id);
    setShown(this.#more, next !== null);
    this.#calendar.show(calendar);
    setText(this.#state, this.#events.length === 0 ? phrase("events.mine.none") : "");
  }

  #row(id) {
    const badge = element("span", { class: "count", role: "img", "data-testid": "event-unread" });
    const row = eventRow(() => this.#context.go("events", [id]), {}, [badge]);
    return {
      item: element("li", { "data-testid": "my-event", "data-event": id }, row.open),
      show: (event) => {
        row.show(event, { isHost: event.host.id === this.#context.session.me });
        showUnread(badge, this.#context.session.client.rooms.all.get(id));
      },
    };
  }
}
