import { select } from "../ui/form.js";
import { LANGUAGES, chooseLanguage, chosenLanguage, phrase } from "../ui/words.js";

/** The choice of the page's language in this browser. The page begins anew with another one. */
export function languageField() {
  const { input, row } = select(phrase("language.title"), "language", [["", phrase("language.browser")], ...Object.entries(LANGUAGES).map(([language, { name }]) => [language, name])]);
  for (const option of input.options) if (option.value !== "") option.lang = option.value;
  input.value = chosenLanguage() ?? "";
  input.addEventListener("change", () => {
    chooseLanguage(input.value || null);
    location.reload();
  });
  return row;
}
