import { freshnessAt, hasPosition } from "../../muster.js";
import { metresBetween } from "../map/geometry.js";
import { moment } from "../ui/text.js";
import { ago } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** How far the position that others see may be from this device's, in metres, by the mode of sharing. */
const NEAR = { live: 100, approximate: 2000 };

/**
 * What others see of the user: `{kind, word, detail}`, such as "Live" and "8 people see you".
 *
 * `kind` is `live`, `approximate`, `hidden`, `last`, `finding`, `waiting` or `stopped`. The words are of the user's own
 * row in the roster, which is what the others have; this device alone only adds why it is not so. `last`: the others
 * have a last position, and no device of the user reports.
 * @param {{mode: string, until: number|null, row: object|null, others: number, source: object, kept: number, isLive: boolean, now: number}} of
 *   `row`: the user's own member in the roster; `kept`: the number of positions that are not sent yet
 */
export function shareState({ mode, until, row, others, source, kept, isLive, now }) {
  const end = until === null ? null : phrase("sharing.until", { when: moment(until, now) });
  if (mode === "paused") return { kind: "hidden", word: phrase("sharing.paused"), detail: end };
  if (source.mode === "off" && !isSeen(row, source, now)) return unreported(row, source, now);
  if (!isLive) return { kind: "waiting", word: phrase("sharing.waiting"), detail: kept > 0 ? phrase("sharing.kept", { count: kept }) : phrase("sharing.waiting.connection") };
  if (source.mode !== "off" && !isCurrent(row, source, mode, now)) return { kind: "finding", word: phrase("sharing.finding"), detail: null };
  const who = others === 0 ? phrase("sharing.alone") : phrase("sharing.seen", { count: others });
  return mode === "approximate" ? { kind: "approximate", word: phrase("sharing.approximate"), detail: end ?? who } : { kind: "live", word: phrase("sharing.live"), detail: who };
}

// No device of the user reports. The others keep the last position.
function unreported(row, { problem }, now) {
  const isKnown = row !== null && hasPosition(row) && row.sharing !== "paused";
  const last = isKnown ? phrase("person.lastSeen", { when: ago(now - (row.at ?? now)) }) : null;
  if (problem !== null) return { kind: "stopped", word: phrase("sharing.stopped", { problem }), detail: last };
  return isKnown ? { kind: "last", word: phrase("sharing.last"), detail: last } : { kind: "hidden", word: phrase("sharing.paused"), detail: null };
}

// A position from after this device stopped is of another one.
function isSeen(row, { since }, now) {
  return row !== null && hasPosition(row) && row.sharing !== "paused" && freshnessAt(row, now) === "live" && (row.at ?? 0) > since;
}

// A position that is held as a jump, or of an earlier visit, is not where this device is.
function isCurrent(row, { last, since }, mode, now) {
  if (last === null || row === null || !hasPosition(row) || freshnessAt(row, now) === "stale") return false;
  return row.sharing !== "paused" && ((row.at ?? 0) >= since || metresBetween(row, last) < (NEAR[mode] ?? NEAR.live));
}
