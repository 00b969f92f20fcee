import { element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/**
 * The rules of a group: the beginning of a sentence that a select ends, its usual values with their words, and the whole
 * sentence for members who may not change it.
 */
const RULES = [
  {
    key: "radius", values: [20, 50, 100, 200, 500, 1000, 2000], words: length,
    effect: (metres) => phrase("rules.radius.effect", { distance: length(metres) }),
  },
  {
    key: "dwell", values: [0, 60, 180, 300, 600, 900, 1800, 3600], words: (seconds) => (seconds === 0 ? phrase("rules.dwell.none") : duration(seconds)),
    effect: (seconds) => (seconds === 0 ? phrase("rules.dwell.effect.none") : phrase("rules.dwell.effect", { time: duration(seconds) })),
  },
  {
    key: "maxAbsent", values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], words: String,
    effect: (most) => phrase("rules.maxAbsent.effect", { count: most }),
  },
  {
    key: "cooldown", values: [0, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400], words: (seconds) => (seconds === 0 ? phrase("rules.cooldown.none") : duration(seconds)),
    effect: (seconds) => (seconds === 0 ? phrase("rules.cooldown.effect.none") : phrase("rules.cooldown.effect", { time: duration(seconds) })),
  },
];

function length(metres) {
  return metres < 1000 ? phrase("unit.metres", { count: metres }) : phrase("unit.kilometres", { count: metres / 1000 });
}

/** A length of time in a round unit: "30 s", "3 min", "2 h". */
export function duration(seconds) {
  if (seconds > 0 && seconds % 3600 === 0) return phrase("unit.hours", { count: seconds / 3600 });
  return seconds % 60 === 0 ? phrase("unit.minutes", { count: seconds / 60 }) : phrase("unit.seconds", { count: seconds });
}

/** The rules as sentences, for members who may not change them. */
export function rulesInWords(settings) {
  return element("ul", { class: "rules", "data-testid": "rules" },
    RULES.map(({ key, effect }) => element("li", { "data-testid": `rule-${key}` }, effect(settings[key]))));
}

/**
 * A sentence with a select for each rule.
 * @returns {{rows: HTMLElement[], read: () => object}} `read` returns the settings that differ
 */
export function ruleFields(settings) {
  const fields = RULES.map(({ key, values, words }) => {
    const id = `setting-${key}`;
    // A client of another kind may have chosen any value.
    const offered = [...new Set([...values, settings[key]])].sort((one, other) => one - other);
    const input = element("select", { id, "data-testid": id }, offered.map((value) => element("option", { value, selected: value === settings[key] }, words(value))));
    return { key, input, row: element("div", { class: "sentence" }, element("label", { for: id }, phrase(`rules.${key}`)), input) };
  });
  return {
    rows: fields.map(({ row }) => row),
    read: () => Object.fromEntries(fields.map(({ key, input }) => [key, Number(input.value)]).filter(([key, value]) => value !== settings[key])),
  };
}
