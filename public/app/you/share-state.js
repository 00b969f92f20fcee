import { freshnessAt, hasPosition } from "../../muster.js";
import { metresBetween } from "../map/geometry.js";
import { moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** How far the position that others see may be from this device's, in metres, by the mode of sharing. */
const NEAR = { live: 100, approximate: 2000 };

/**
 * What others see of the user: `{kind, word, detail}`, such as "Live" and "8 people see you".
 *
 * `kind` is `live`, `approximate`, `hidden`, `finding`, `waiting` or `stopped`. The first two are of the user's own row
 * in the roster, which is what the others have; this device alone only adds why it is not so.
 * @param {{mode: string, until: number|null, row: object|null, others: number, source: object, kept: number, isLive: boolean, now: number}} of
 *   `row`: the user's own member in the roster; `kept`: the number of positions that are not sent yet
 */
export function shareState({ mode, until, row, others, source, kept, isLive, now }) {
  const end = until === null ? null : `until ${moment(until, now)}`;
  if (mode === "paused") return { kind: "hidden", word: "Hidden", detail: end };
  if (source.mode === "off" && source.problem !== null) return { kind: "stopped", word: `Stopped: ${source.problem}`, detail: null };
  if (source.mode === "off" && !isSeen(row, now)) return { kind: "hidden", word: "Hidden", detail: null };
  if (!isLive) return { kind: "waiting", word: "Waiting", detail: kept > 0 ? phrase("sharing.kept", { count: kept }) : "for a connection" };
  if (source.mode !== "off" && !isCurrent(row, source, mode, now)) return { kind: "finding", word: "Finding you…", detail: null };
  const who = others === 0 ? "nobody else here yet" : phrase("sharing.seen", { count: others });
  return mode === "approximate" ? { kind: "approximate", word: "Approximate", detail: end ?? who } : { kind: "live", word: "Live", detail: who };
}

function isSeen(row, now) {
  return row !== null && hasPosition(row) && freshnessAt(row, now) === "live";
}

// A position that is held as a jump, or of an earlier visit, is not where this device is.
function isCurrent(row, { last, since }, mode, now) {
  if (last === null || row === null || !hasPosition(row) || freshnessAt(row, now) === "stale") return false;
  return row.sharing !== "paused" && ((row.at ?? 0) >= since || metresBetween(row, last) < (NEAR[mode] ?? NEAR.live));
}
