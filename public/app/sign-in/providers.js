import { authProviders } from "../../client/http.js";
import { button, element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { leaveFor, signInTrouble } from "./flow.js";

/**
 * A button for each provider that the server offers, by the text of its configuration.
 *
 * The view is empty until the server has answered, and stays so when there are none.
 * @param {{onTrouble: (text: string) => void, onWays: (ways: {passwords: boolean}) => void}} options
 */
export function providerButtons({ onTrouble, onWays }) {
  const view = element("div", { class: "stack providers", "data-testid": "providers", hidden: true });
  authProviders(location.origin).then((ways) => {
    onWays(ways);
    if (ways.providers.length === 0) return;
    view.hidden = false;
    view.replaceChildren(...ways.providers.map((each) => providerButton(each, onTrouble)));
    if (ways.passwords) view.append(element("p", { class: "hint note" }, phrase("provider.or")));
  }, () => {
    // The form remains, and says what is wrong when it is sent.
  });
  return view;
}

function providerButton({ id, name, available }, onTrouble) {
  const made = button(phrase("provider.with", { name }), async () => {
    try {
      await leaveFor(id, { purpose: "login" });
    } catch (error) {
      onTrouble(signInTrouble(error.code));
    }
  }, { class: "tonal wide", "data-testid": `provider-${id}` });
  if (!available) made.append(element("span", { class: "hint" }, ` ${phrase("provider.away")}`));
  return made;
}
