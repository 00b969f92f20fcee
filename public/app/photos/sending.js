import { uploadPhoto } from "../../client/photos.js";
import { element, setShown, stylesheet } from "../ui/dom.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { toJPEG } from "./picture.js";

await stylesheet("/app/photos/photos.css");

/** An upload of a picture: its progress, a cancel button, and the server's error. */
export class Sending {
  #token;
  #testid;
  #bar;
  #cancel;
  #row;
  #problem;
  #under = null;
  view;

  /** @param {{token: string, testid: string}} options */
  constructor({ token, testid }) {
    this.#token = token;
    this.#testid = testid;
    this.#bar = element("progress", { max: 1, value: 0, "aria-label": phrase("photo.sending"), "data-testid": `${testid}-progress` });
    this.#cancel = element("button", { type: "button", class: "small", "data-testid": `${testid}-cancel`, onclick: () => this.cancel() }, phrase("cancel"));
    this.#row = element("div", { class: "sending", hidden: true }, this.#bar, this.#cancel);
    this.#problem = element("p", { class: "wrong", role: "alert", hidden: true, "data-testid": `${testid}-problem` });
    this.view = element("div", { class: "stack" }, this.#row, this.#problem);
  }

  /** Shows an error; null clears it. */
  complain(text) {
    setShown(this.#problem, text !== null);
    this.#problem.textContent = text ?? "";
  }

  /** Aborts the upload. */
  cancel() {
    this.#under?.abort();
  }

  /**
   * Uploads the contents of a canvas.
   * @param {HTMLCanvasElement} canvas
   * @param {{use?: "avatar", back: HTMLElement}} options `back` receives the focus from the cancel button
   * @returns {Promise<object|null>} the photo; null when it was cancelled, or refused with an error shown here
   */
  async send(canvas, { use, back }) {
    this.complain(null);
    this.#under = new AbortController();
    this.#bar.value = 0;
    setShown(this.#row, true);
    try {
      const onProgress = (part) => (this.#bar.value = part);
      return await uploadPhoto(location.origin, this.#token, await toJPEG(canvas), { use, signal: this.#under.signal, onProgress });
    } catch (error) {
      this.complain(this.#under.signal.aborted ? null : why(error));
      return null;
    } finally {
      this.#under = null;
      if (this.#row.contains(document.activeElement)) back.focus();
      setShown(this.#row, false);
    }
  }
}

function why(error) {
  const known = {
    bad_request: phrase("photo.wrong"),
    too_large: phrase("photo.tooLarge"),
    unavailable: phrase("photo.unavailable"),
  };
  return known[error.code] ?? explain(error);
}
