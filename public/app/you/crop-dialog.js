import { Sending } from "../photos/sending.js";
import { openDialog } from "../shell/dialog.js";
import { busyWhile, element, setAttribute } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { CropStage, MOST_ZOOM } from "./crop-stage.js";

/**
 * Opens a dialog that crops a picture for the user's avatar, and uploads it.
 * @param {ImageBitmap} bitmap closed with the dialog
 * @param {{token: string, onSent: (photo: object) => Promise<boolean>}} options `onSent` returns whether the dialog is
 *   done
 */
export function openCropDialog(bitmap, { token, onSent }) {
  const zoom = element("input", { type: "range", id: "crop-zoom", min: 1, max: MOST_ZOOM, step: 0.05, value: 1, "data-testid": "crop-zoom" });
  const say = () => setAttribute(zoom, "aria-valuetext", `${Math.round(zoom.value * 100)} %`);
  const stage = new CropStage(bitmap, (wanted) => {
    zoom.value = wanted;
    say();
  });
  zoom.addEventListener("input", () => {
    stage.zoom = Number(zoom.value);
    say();
  });
  say();
  const sending = new Sending({ token, testid: "face" });
  const save = element("button", { type: "submit", class: "filled", "data-testid": "crop-save" }, phrase("crop.use"));
  const form = element("form", { class: "crop" }, element("p", { class: "hint" }, phrase("crop.hint")),
    stage.view, element("div", { class: "field" }, element("label", { for: "crop-zoom" }, phrase("crop.zoom")), zoom), sending.view, save);
  const dialog = openDialog(phrase("face.title"), form, { testid: "crop-dialog" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busyWhile(save, async () => {
      const sent = await sending.send(stage.canvas, { use: "avatar", back: save });
      if (sent !== null && dialog.open && (await onSent(sent))) dialog.close();
    });
  });
  dialog.addEventListener("close", () => {
    sending.cancel();
    bitmap.close();
  });
}
