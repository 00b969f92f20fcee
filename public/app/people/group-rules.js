import { element, setText } from "../ui/dom.js";
import { field } from "../ui/form.js";

/** The rules of a group, each with its unit of display, its limits, and its effect in a sentence. */
const RULES = [
  {
    key: "radius", label: "How close", unit: "metres", min: 20, max: 2000, factor: 1,
    effect: (metres) => `People within ${metres} m of each other count as together.`,
  },
  {
    key: "dwell", label: "For how long", unit: "minutes", min: 0, max: 60, factor: 60,
    effect: (seconds) => (seconds === 0 ? "Being together counts at once." : `Being together counts after ${duration(seconds)}.`),
  },
  {
    key: "maxAbsent", label: "How many may be missing", unit: "people", min: 1, max: 10, factor: 1, whole: true,
    effect: (most) => (most === 1 ? "Whoever is missing is told when everybody else is there." : `Those missing are told when they are at most ${most}.`),
  },
  {
    key: "cooldown", label: "Quiet between alerts", unit: "minutes", min: 0, max: 1440, factor: 60,
    effect: (seconds) => (seconds === 0 ? "Alerts of one kind may follow each other at once." : `At most one alert of a kind for each person every ${every(seconds)}.`),
  },
];

/** A length of time in a round unit: "30 seconds", "3 minutes", "2 hours". */
export function duration(seconds) {
  const [count, unit] = seconds > 0 && seconds % 3600 === 0 ? [seconds / 3600, "hour"] : seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function every(seconds) {
  return duration(seconds).replace(/^1 /u, "");
}

/** The rules as sentences, for members who may not change them. */
export function rulesInWords(settings) {
  return element("ul", { class: "rules", "data-testid": "rules" },
    RULES.map(({ key, effect }) => element("li", { "data-testid": `rule-${key}` }, effect(settings[key]))));
}

/**
 * Fields for the rules, each with its effect in words during input.
 * @returns {{rows: HTMLElement[], read: () => object|null, complain: (key: string, text: string) => boolean}} `read`
 *   returns the settings that differ, or shows the errors at their fields and returns null
 */
export function ruleFields(settings) {
  const fields = RULES.map((rule) => {
    const { key, label, unit, min, max, factor, effect } = rule;
    const made = field(label, {
      type: "number", min, max, step: rule.whole ? 1 : "any", inputmode: rule.whole ? "numeric" : "decimal",
      value: Math.round((settings[key] / factor) * 100) / 100, "data-testid": `setting-${key}`,
    }, { unit, hint: effect(settings[key]) });
    made.hint.dataset.testid = `effect-${key}`;
    const value = () => Math.round(made.input.valueAsNumber * factor);
    const wrong = () => {
      const typed = made.input.valueAsNumber;
      const fits = typed >= min && typed <= max && (!rule.whole || Number.isInteger(typed));
      return fits ? null : `Please enter ${rule.whole ? "a whole number from " : ""}${min} to ${max}${rule.whole ? "" : ` ${unit}`}.`;
    };
    made.input.addEventListener("input", () => {
      const problem = wrong();
      if (problem === null) setText(made.hint, effect(value()));
      // During input only an error that is already shown is updated.
      if (problem === null || made.isWrong) made.complain(problem);
    });
    made.input.addEventListener("change", () => made.complain(wrong()));
    return { ...made, key, value, wrong, differs: () => value() !== settings[key] };
  });
  return {
    rows: fields.map(({ row }) => row),
    read() {
      for (const each of fields) each.complain(each.wrong());
      const first = fields.find((each) => each.wrong() !== null);
      if (first) {
        first.input.focus();
        return null;
      }
      return Object.fromEntries(fields.filter((each) => each.differs()).map((each) => [each.key, each.value()]));
    },
    complain(key, text) {
      const found = fields.find((each) => each.key === key);
      found?.complain(text);
      found?.input.focus();
      return found !== undefined;
    },
  };
}
