import { element, busyWhile, setText } from "../ui/dom.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { openDialog } from "./dialog.js";
import { toast } from "./toasts.js";

/** The maximum length of a report's reason. */
const LONGEST = 500;

/** The noun for each kind of reportable content. */

/**
 * Asks for the reason of a report, and sends it to the operator.
 * @param {object} client
 * @param {{what: string, subject: string, room?: string}} about `subject`: its id; for a message its number in `room`
 */
export function openReport(client, about) {
  const reason = element("textarea", { id: "report-reason", rows: 3, maxlength: LONGEST, "aria-describedby": "report-problem", "data-testid": "report-reason" });
  const problem = element("p", { class: "problem", id: "report-problem", role: "status" });
  const send = element("button", { type: "submit", class: "danger filled", "data-testid": "report-send" }, phrase("report.send"));
  const form = element("form", { class: "stack", novalidate: true },
    element("div", { class: "field" }, element("label", { for: reason.id }, phrase("report.reason")), reason, problem),
    element("p", { class: "hint" }, phrase("report.hint")), element("div", { class: "row" }, send));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = reason.value.trim();
    setText(problem, words === "" ? phrase("report.reason.missing") : "");
    if (words === "") return reason.focus();
    busyWhile(send, async () => {
      try {
        await client.request("report", { ...about, reason: words });
      } catch (error) {
        return setText(problem, explain(error));
      }
      dialog.close();
      toast(phrase("report.done"));
    });
  });
  const dialog = openDialog(phrase(`report.title.${about.what}`), form, { testid: "report-dialog" });
  reason.focus();
}

/** The subject of a report about a photo, whose address contains its id. */
export function aboutPhoto({ url }) {
  return { what: "photo", subject: url.match(/\/photos\/(\d+)/)?.[1] };
}
