import { updateMe } from "../../muster.js";
import { fileChooser } from "../photos/file-chooser.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/** The user's picture, with controls to choose, crop and remove it. */
export class Face {
  #session;
  #picture = element("div", { "data-testid": "own-face" });
  #problem = element("p", { class: "wrong", role: "alert", hidden: true, "data-testid": "face-unread" });
  #chooser;
  #remove;
  #shown = "";
  #told = undefined;
  view;
  /** The controls that change it. */
  controls;

  /** @param {object} session */
  constructor(session) {
    this.#session = session;
    this.#chooser = fileChooser((file) => this.#choose(file), { choose: phrase("face.choose"), camera: "user", testid: "face" });
    this.#remove = button(phrase("remove"), () => this.#clear(), { "aria-label": phrase("face.remove"), "data-testid": "face-remove", hidden: true });
    this.view = this.#picture;
    this.controls = element("section", { class: "stack", "aria-label": phrase("face.title") },
      element("div", { class: "row" }, this.#chooser.buttons, this.#remove), this.#chooser.inputs, this.#problem);
  }

  /** Draws the picture. */
  draw() {
    const { client, roster, me } = this.#session;
    if (client.user === null) return;
    // Another session of the user may have changed it; the roster carries that change.
    const told = roster?.members.get(me)?.avatar;
    if (told !== this.#told) {
      this.#told = told;
      if (told !== undefined) client.user = { ...client.user, avatar: told };
    }
    setShown(this.#remove, client.user.avatar !== null && client.user.avatar !== undefined);
    setText(this.#chooser.choose, this.#remove.hidden ? phrase("face.choose") : phrase("face.change"));
    if (faceKey(client.user) === this.#shown) return;
    this.#shown = faceKey(client.user);
    this.#picture.replaceChildren(avatar(client.user, { size: "large" }));
  }

  async #choose(file) {
    setShown(this.#problem, false);
    try {
      const [{ openCropDialog }, { readPicture }] = await Promise.all([import("./crop-dialog.js"), import("../photos/picture.js")]);
      openCropDialog(await readPicture(file), { token: this.#session.token, onSent: (photo) => this.#become(photo.id, phrase("face.changed")) });
    } catch (error) {
      setText(this.#problem, error.message);
      setShown(this.#problem, true);
    }
  }

  async #clear() {
    if (await this.#become(null, phrase("face.removed"))) this.#chooser.choose.focus();
  }

  #become(id, words) {
    return attempt(async () => {
      const { client, token } = this.#session;
      const profile = await updateMe(location.origin, token, { avatar: id });
      client.user = { ...client.user, avatar: profile.avatar };
      this.draw();
      toast(words);
    });
  }
}
