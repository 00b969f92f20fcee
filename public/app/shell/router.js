/** An address of the page: `#/g/81/people/7`, `#/places/spots/501`, `#/join/CODE`. */
export function parse(hash) {
  const parts = hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
  const group = parts[0] === "g" && parts.length > 1 ? parts[1] : null;
  const [section = null, ...rest] = group === null ? parts : parts.slice(2);
  // Links from before the chat had a section of its own.
  if (section === "people" && rest[0] === "chats") return { group, section: "chat", rest: rest.slice(1) };
  return { group, section, rest };
}

/** The address of a section, within a group when there is one. */
export function address(section, { group = null, rest = [] } = {}) {
  const parts = [...(group === null ? [] : ["g", group]), section, ...rest];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The hash router: the address determines the view, so that back, reload and links work. */
export class Router {
  #onRoute;
  #ended = new AbortController();

  /**
   * @param {(route: {group: string|null, section: string|null, rest: string[]}) => void} onRoute receives each address
   */
  constructor(onRoute) {
    this.#onRoute = onRoute;
    addEventListener("hashchange", () => this.#onRoute(this.route), { signal: this.#ended.signal });
  }

  /** The current route. */
  get route() {
    return parse(location.hash);
  }

  /** Navigates to an address; `replace` adds no history entry. */
  go(to, { replace = false } = {}) {
    if (to === location.hash) return;
    if (!replace) return void (location.hash = to);
    history.replaceState(null, "", to);
    this.#onRoute(this.route);
  }

  /** Stops listening. */
  close() {
    this.#ended.abort();
  }
}
