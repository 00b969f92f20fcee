import { element } from "../ui/dom.js";

/**
 * The rules of a group: the beginning of a sentence that a select ends, its usual values with their words, and the whole
 * sentence for members who may not change it.
 */
const RULES = [
  {
    key: "radius", label: "People are together within", values: [20, 50, 100, 200, 500, 1000, 2000], words: (metres) => (metres < 1000 ? `${metres} m` : `${metres / 1000} km`),
    effect: (metres) => `People are together within ${metres < 1000 ? `${metres} m` : `${metres / 1000} km`}.`,
  },
  {
    key: "dwell", label: "for at least", values: [0, 60, 180, 300, 600, 900, 1800, 3600], words: (seconds) => (seconds === 0 ? "a moment" : duration(seconds)),
    effect: (seconds) => (seconds === 0 ? "Being together counts at once." : `Being together counts after ${duration(seconds)}.`),
  },
  {
    key: "maxAbsent", label: "Alert when at most this many are missing", values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], words: String,
    effect: (most) => (most === 1 ? "An alert is sent when one person is missing." : `An alert is sent when at most ${most} are missing.`),
  },
  {
    key: "cooldown", label: "At most one alert every", values: [0, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400], words: (seconds) => (seconds === 0 ? "time" : duration(seconds)),
    effect: (seconds) => (seconds === 0 ? "Alerts may follow each other at once." : `At most one alert is sent every ${duration(seconds)}.`),
  },
];

/** A length of time in a round unit: "30 s", "3 min", "2 h". */
export function duration(seconds) {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
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
  const fields = RULES.map(({ key, label, values, words }) => {
    const id = `setting-${key}`;
    // A client of another kind may have chosen any value.
    const offered = [...new Set([...values, settings[key]])].sort((one, other) => one - other);
    const input = element("select", { id, "data-testid": id }, offered.map((value) => element("option", { value, selected: value === settings[key] }, words(value))));
    return { key, input, row: element("div", { class: "sentence" }, element("label", { for: id }, label), input) };
  });
  return {
    rows: fields.map(({ row }) => row),
    read: () => Object.fromEntries(fields.map(({ key, input }) => [key, Number(input.value)]).filter(([key, value]) => value !== settings[key])),
  };
}
