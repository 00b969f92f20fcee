import { attempt } from "../shell/toasts.js";
import { button, element, setAttribute, setText } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

const ANSWERS = ["in", "maybe", "out"];

/**
 * Buttons for the user's answer to a plan, with the count of each answer.
 *
 * `onAnswer` receives the user's own answer; counts arrive by `plan_changed`.
 */
export function answerButtons(client, plan, group, onAnswer) {
  let mine = "none";
  const buttons = ANSWERS.map((answer) => [answer, button(nameOf(answer), () => say(answer), { class: "toggle small", "data-testid": `plan-answer-${answer}` })]);

  function say(answer) {
    const next = answer === mine ? "none" : answer;
    return attempt(async () => {
      // The counts in the answer may be older than counts received meanwhile, so they are ignored.
      await client.request("plan.answer", { plan, group, answer: next });
      onAnswer(next);
      // The same plan may be shown elsewhere on the page.
      client.dispatchEvent(new CustomEvent("plan_answered", { detail: { plan, group, answer: next } }));
    });
  }

  return {
    view: element("div", { class: "row", role: "group", "aria-label": phrase("plan.along") }, buttons.map(([, made]) => made)),
    show({ answer, answers }) {
      mine = answer;
      for (const [each, made] of buttons) {
        setText(made, answers[each] > 0 ? `${nameOf(each)} ${answers[each]}` : nameOf(each));
        setAttribute(made, "aria-pressed", each === mine);
      }
    },
  };
}

function nameOf(answer) {
  return phrase(`plan.answer.${answer}`);
}
