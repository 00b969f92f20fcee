import { pickPlace } from "../places/pick-place.js";
import { openDialog } from "../shell/dialog.js";
import { button, element, setText } from "../ui/dom.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The zooms for a known place, and for a place estimated to about 25 km. */
const NEAR = 16;
const FAR = 9;

/**
 * Finds the user's position for one request: from the browser, else, after asking, from the network address, else from
 * a point on the map.
 *
 * It is not a fix, and other users do not see it.
 * @param {{session: object, map: () => object|null}} context
 * @param {{noun: string, isFresh?: boolean}} options `noun`: what is placed, for the choice on the map
 * @returns {Promise<{lat: number, lon: number, zoom: number, isGuess?: boolean, isPicked?: boolean}|null>} null when it
 *   is cancelled; `isGuess` for an estimate from the network address, which must not be stored; `isPicked` when it was
 *   chosen on the map
 */
export async function findPosition(context, { noun, isFresh = false }) {
  const { session, map } = context;
  if (session.here && !isFresh) return { lat: session.here.lat, lon: session.here.lon, zoom: NEAR };
  try {
    const { lat, lon } = await session.source.once({ isFresh });
    return { lat, lon, zoom: NEAR };
  } catch (error) {
    const choice = await askFor(session.client, error.message, map() !== null);
    if (choice !== "point") return choice;
    const place = await pickPlace(context, { noun, at: map().center });
    return place && { ...place, zoom: map().leaflet.getZoom(), isPicked: true };
  }
}

/** Asks for another source when the browser provides no position: returns the position, "point", or null. */
function askFor(client, problem, hasMap) {
  return new Promise((resolve) => {
    let answer = null;
    const state = element("p", { class: "hint", role: "status", "data-testid": "position-state" });
    const choose = (value) => {
      answer = value;
      dialog.close();
    };
    const guess = button(phrase("find.rough"), async () => {
      try {
        const { lat, lon } = await client.request("position.guess");
        choose({ lat, lon, zoom: FAR, isGuess: true });
      } catch (error) {
        // An older server does not have this request.
        setText(state, ["not_found", "unknown_type"].includes(error.code) ? phrase("find.unknown") : explain(error));
      }
    }, { class: "filled", "data-testid": "position-guess" });
    const dialog = openDialog(phrase("find.title"), element("div", { class: "stack" },
      element("p", {}, phrase("find.ask", { problem })),
      element("div", { class: "row" }, guess,
        hasMap ? button(phrase("pickOnMap"), () => choose("point"), { "data-testid": "position-point" }) : null,
        button(phrase("cancel"), () => choose(null), { "data-testid": "position-cancel" })), state), { testid: "position-dialog" });
    dialog.addEventListener("close", () => resolve(answer));
    guess.focus();
  });
}
