import { button, element } from "../ui/dom.js";

/**
 * Buttons that choose a picture: of the files, and with the camera where there is one at hand.
 * @param {(file: File) => Promise<void>} onChosen
 * @param {{choose?: string, camera?: "environment"|"user", testid: string}} options `choose`: what the button of the
 * files says; `camera`: which of two cameras
 * @returns {{buttons: HTMLElement[], inputs: HTMLElement[], choose: HTMLButtonElement}}
 */
export function fileChooser(onChosen, { choose = "Choose a photo", camera: facing = "environment", testid }) {
  const files = input(onChosen, { "data-testid": `${testid}-file` });
  const camera = input(onChosen, { capture: facing, "data-testid": `${testid}-camera-file` });
  const chooseButton = button(choose, () => files.click(), { "data-testid": `${testid}-choose` });
  // A computer's browser would only open the files again.
  const isInHand = matchMedia("(pointer: coarse)").matches;
  const take = isInHand ? button("Take a photo", () => camera.click(), { "data-testid": `${testid}-take` }) : null;
  return { buttons: [take, chooseButton].filter(Boolean), inputs: isInHand ? [camera, files] : [files], choose: chooseButton };
}

function input(onChosen, attributes) {
  const made = element("input", { type: "file", accept: "image/*", hidden: true, ...attributes });
  made.addEventListener("change", async () => {
    const [file] = made.files;
    if (file) await onChosen(file);
    // Emptied, it tells of the same file again.
    made.value = "";
  });
  return made;
}
