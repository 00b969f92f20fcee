/**
 * Events of the given types in order of arrival:
 * `for await (const { type, detail } of eventsOf(client, ["roster"])) …`.
 */
export async function* eventsOf(target, types) {
  const queue = [];
  let wake = () => {};
  const note = (event) => {
    queue.push({ type: event.type, detail: event.detail });
    wake();
  };
  for (const type of types) target.addEventListener(type, note);
  try {
    for (;;) {
      while (queue.length > 0) yield queue.shift();
      await new Promise((resolve) => (wake = resolve));
    }
  } finally {
    for (const type of types) target.removeEventListener(type, note);
  }
}
