/** The most pages of guests that are read for one room. */
const PAGES = 10;

/** A person as the groups know them that one has in common: with the face that they have now. */
export function asKnown(client, person) {
  for (const { members } of client.rosters.values()) {
    const member = members.get(person.id);
    if (member) return { ...person, name: member.name, avatar: member.avatar };
  }
  return person;
}

/** Who is in rooms: of a group its roster, of an event its host, its guests and whoever has said something. */
export class RoomMembers {
  #client;
  #guests = new Map();

  /** @param {object} client */
  constructor(client) {
    this.#client = client;
  }

  /** The people of a room by id, each `{user, name, avatar}` at least. */
  of(id) {
    const { rosters, rooms } = this.#client;
    const room = rooms.all.get(id);
    if (!room?.event) return rosters.get(id)?.members ?? new Map();
    // A message has the name alone; the face is the guest's.
    const found = new Map(room.log.filter(({ from }) => from).map(({ from }) => [from.id, from]));
    for (const [user, guest] of this.#guests.get(id) ?? []) found.set(user, guest);
    return new Map([...found].map(([user, person]) => [user, { user, ...asKnown(this.#client, person) }]));
  }

  /** Reads the guests of an event anew, and its host when nobody gives them; they may be called without having said anything. */
  async read(id, host = null) {
    if (!this.#client.rooms.all.get(id)?.event) return;
    const whose = host ?? (await this.#client.request("event.get", { event: id })).event.host;
    const found = new Map([[whose.id, whose]]);
    let after = null;
    for (let page = 0; page < PAGES; page++) {
      const { guests, next } = await this.#client.request("event.guests", { event: id, limit: 100, ...(after && { after }) });
      for (const { user, rsvp } of guests) if (rsvp !== "no") found.set(user.id, user);
      if (next === null) break;
      after = next;
    }
    this.#guests.set(id, found);
  }
}
