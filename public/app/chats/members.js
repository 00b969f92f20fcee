/** The most pages of guests that are read for one room. */
const PAGES = 10;

/** Who is in rooms: of a group its roster, of an event its guests and whoever has said something. */
export class RoomMembers {
  #client;
  #guests = new Map();
  #hosts = new Map();

  /** @param {object} client */
  constructor(client) {
    this.#client = client;
  }

  /** The people of a room by id, each `{user, name, avatar}` at least. */
  of(id) {
    const { rosters, rooms } = this.#client;
    const room = rooms.all.get(id);
    if (!room?.event) return rosters.get(id)?.members ?? new Map();
    const authors = room.log.filter(({ from }) => from).map(({ from }) => [from.id, { user: from.id, ...from }]);
    // What the event says of people is newer than what they were called when they said something.
    return new Map([...authors, ...(this.#guests.get(id) ?? []), ...(this.#hosts.get(id) ?? [])]);
  }

  /** Reads the guests of an event anew, of whose host more may be known; they may be called without having said anything. */
  async read(id, host = null) {
    if (!this.#client.rooms.all.get(id)?.event) return;
    if (host) this.#hosts.set(id, [[host.id, { user: host.id, ...host }]]);
    const found = new Map();
    let after = null;
    for (let page = 0; page < PAGES; page++) {
      const { guests, next } = await this.#client.request("event.guests", { event: id, limit: 100, ...(after && { after }) });
      for (const { user, rsvp } of guests) if (rsvp !== "no") found.set(user.id, { user: user.id, ...user });
      if (next === null) break;
      after = next;
    }
    this.#guests.set(id, found);
  }
}
