import { button, element, setShown } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { fileChooser } from "./file-chooser.js";
import { readPicture, shrink } from "./picture.js";
import { Sending } from "./sending.js";

/** A photo in a form: chosen or taken, previewed, scaled down, and uploaded with the form. */
export class PhotoField {
  #canvas = null;
  #id = null;
  #reading = null;
  #chooser;
  #preview = element("div", { class: "photo-preview", "data-testid": "photo-preview" });
  #chosen;
  #sending;
  view;

  /** @param {{token: string}} options */
  constructor({ token }) {
    this.#sending = new Sending({ token, testid: "photo" });
    this.#chooser = fileChooser((file) => (this.#reading = this.#read(file)), { testid: "photo" });
    const remove = button(phrase("remove"), () => {
      this.#show(null);
      this.#chooser.choose.focus();
    }, { class: "small", "aria-label": phrase("photo.remove"), "data-testid": "photo-remove" });
    this.#chosen = element("div", { class: "photo-chosen", hidden: true }, this.#preview, remove);
    this.view = element("fieldset", { class: "photo-field" }, element("legend", {}, phrase("photo.optional")),
      this.#chosen, element("div", { class: "row" }, this.#chooser.buttons), this.#chooser.inputs, this.#sending.view);
  }

  /** The id of the uploaded photo; null when there is none. */
  get id() {
    return this.#id;
  }

  /**
   * Uploads the photo, unless there is none or it is uploaded; returns whether the form can continue. `back` as for
   * `Sending`.
   */
  async send(back) {
    // A large file takes a moment to decode; the form waits for it.
    if (this.#reading !== null && !(await this.#reading)) return false;
    if (this.#canvas === null || this.#id !== null) return true;
    const canvas = this.#canvas;
    const photo = await this.#sending.send(canvas, { back });
    // Another photo may have been chosen meanwhile.
    if (photo !== null && canvas === this.#canvas) this.#id = photo.id;
    return this.#id !== null;
  }

  /** Shows the server's error about the uploaded photo, which is uploaded again. */
  complain(text) {
    this.#id = null;
    this.#sending.complain(text);
  }

  /** Aborts the upload. */
  cancel() {
    this.#sending.cancel();
  }

  async #read(file) {
    this.#sending.complain(null);
    try {
      const bitmap = await readPicture(file);
      this.#show(shrink(bitmap));
      bitmap.close();
      return true;
    } catch (error) {
      this.#sending.complain(error.message);
      return false;
    } finally {
      this.#reading = null;
    }
  }

  #show(canvas) {
    this.cancel();
    this.#sending.complain(null);
    this.#canvas = canvas;
    this.#id = null;
    setShown(this.#chosen, canvas !== null);
    this.#preview.replaceChildren();
    if (canvas === null) return;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", phrase("photo.chosen"));
    this.#preview.append(canvas);
  }
}
