import { SIGNIFICANT_CHANGE } from "../../muster.js";
import { element, setText } from "../ui/dom.js";
import { distance } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The switch of the saving mode, with its current effect. */
export class SavingSwitch {
  #session;
  #toggle;
  #meaning = element("span", { class: "hint", id: "saving-meaning", role: "status", "data-testid": "saving-state" });
  view;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.#toggle = element("input", {
      type: "checkbox", class: "switch-box", role: "switch", "aria-labelledby": "saving-name", "aria-describedby": "saving-meaning", "data-testid": "saving",
      onchange: () => {
        session.isSaving = this.#toggle.checked;
        this.draw();
      },
    });
    this.view = element("label", { class: "toggle-row" }, element("span", {}, element("span", { id: "saving-name" }, phrase("saving.title")), this.#meaning), this.#toggle);
  }

  /** Draws the current state. */
  draw() {
    const { isSaving, source } = this.#session;
    this.#toggle.checked = isSaving;
    setText(this.#meaning, meaning(isSaving, source.mode !== "off"));
  }
}

function meaning(isSaving, isOn) {
  if (!isSaving) return isOn ? phrase("saving.off") : phrase("saving.off.later");
  const values = { distance: distance(SIGNIFICANT_CHANGE.metres), time: lasting(SIGNIFICANT_CHANGE.milliseconds) };
  return isOn ? phrase("saving.on", values) : phrase("saving.on.later", values);
}
