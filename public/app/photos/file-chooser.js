import { button, element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";

/**
 * Buttons that choose a picture: from the files, and with the camera on a device that has one.
 * @param {(file: File) => Promise<void>} onChosen
 * @param {{choose?: string, camera?: "environment"|"user", testid: string}} options `choose`: the label of the files
 *   button; `camera`: which of two cameras
 * @returns {{buttons: HTMLElement[], inputs: HTMLElement[], choose: HTMLButtonElement}}
 */
export function fileChooser(onChosen, { choose = phrase("photo.choose"), camera: facing = "environment", testid }) {
  const files = input(onChosen, { "data-testid": `${testid}-file` });
  const camera = input(onChosen, { capture: facing, "data-testid": `${testid}-camera-file` });
  const chooseButton = button(choose, () => files.click(), { "data-testid": `${testid}-choose` });
  // A desktop browser would only open the file dialog again.
  const isInHand = matchMedia("(pointer: coarse)").matches;
  const take = isInHand ? button(phrase("photo.take"), () => camera.click(), { "data-testid": `${testid}-take` }) : null;
  return { buttons: [take, chooseButton].filter(Boolean), inputs: isInHand ? [camera, files] : [files], choose: chooseButton };
}

function input(onChosen, attributes) {
  const made = element("input", { type: "file", accept: "image/*", hidden: true, ...attributes });
  made.addEventListener("change", async () => {
    const [file] = made.files;
    if (file) await onChosen(file);
    // Cleared, so that choosing the same file again causes an event.
    made.value = "";
  });
  return made;
}
