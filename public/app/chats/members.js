/** The maximum number of guest pages loaded for one room. */
const PAGES = 10;

/** A person with the current face from a common group's roster. */
export function asKnown(client, person) {
  for (const { members } of client.rosters.values()) {
    const member = members.get(person.id);
    if (member) return { ...person, name: member.name, avatar: member.avatar };
  }
  return person;
}

/** The members of rooms: for a group its roster, for an event its host, its guests and all authors of messages. */
export class RoomMembers {
  #client;
  #guests = new Map();

  /** @param {object} client */
  constructor(client) {
    this.#client = client;
  }

  /** The members of a room by id, each `{user, name, avatar}` at least. */
  of(id) {
    const { rosters, rooms } = this.#client;
    const room = rooms.all.get(id);
    if (!room?.event) return rosters.get(id)?.members ?? new Map();
    // A message has only the author's name; the face comes from the guest list.
    const found = new Map(room.log.filter(({ from }) => from).map(({ from }) => [from.id, from]));
    for (const [user, guest] of this.#guests.get(id) ?? []) found.set(user, guest);
    return new Map([...found].map(([user, person]) => [user, { user, ...asKnown(this.#client, person) }]));
  }

  /** Reloads the guests of an event, and its host unless given: guests without messages can be mentioned, too. */
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
