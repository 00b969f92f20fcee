import { lastDevice } from "./account.js";
import { MusterError, invitePreview, logIn, signUp } from "../client/http.js";
import { busyWhile, element, setShown, setText } from "./ui/dom.js";
import { field } from "./ui/form.js";
import { explain } from "./ui/text.js";

/**
 * The page for signing up or logging in. After an invite link it also shows the group to join.
 * @param {{invite: string|null, onSignedIn: (token: string) => void, onSubmit: () => void, notice?: string}} options
 *   `onSubmit`: called when the form is sent, to preload the next page
 */
export function signInView({ invite, onSignedIn, onSubmit, notice }) {
  const name = field("Your name", { name: "name", autocomplete: "name", required: true, maxlength: 80, "data-testid": "signup-name" },
    { hint: "What your friends see on the map." });
  const username = field("Username", { name: "username", autocomplete: "username", required: true, minlength: 3, maxlength: 32,
    autocapitalize: "none", spellcheck: "false", "data-testid": "auth-username" }, { hint: "3 to 32 of a–z, 0–9, _ . -" });
  const password = field("Password", { name: "password", type: "password", required: true, maxlength: 256, "data-testid": "auth-password" },
    { hint: "At least 8 characters." });
  const wrong = element("p", { class: "wrong", role: "alert", "data-testid": "auth-error", hidden: true });
  const submit = element("button", { class: "filled", type: "submit", "data-testid": "auth-submit" });
  const form = element("form", { novalidate: true, "data-testid": "auth-form" }, name.row, username.row, password.row, wrong, submit);

  const choices = ["signup", "login"].map((mode) =>
    element("button", { type: "button", class: "segment", "data-testid": `auth-mode-${mode}`, onclick: () => choose(mode) },
      mode === "signup" ? "Sign up" : "Log in"));
  let mode;
  function choose(chosen) {
    mode = chosen;
    const joining = mode === "signup";
    choices.forEach((choice, index) => choice.setAttribute("aria-pressed", String((index === 0) === joining)));
    setShown(name.row, joining);
    for (const { row } of [username, password]) setShown(row.querySelector(".hint"), joining);
    password.input.autocomplete = joining ? "new-password" : "current-password";
    setText(submit, joining ? "Create account" : "Log in");
    setShown(wrong, false);
  }
  choose(localStorage.getItem("muster.known") ? "login" : "signup");

  function complain(text, input) {
    setText(wrong, text);
    setShown(wrong, true);
    for (const each of [name, username, password]) each.input.removeAttribute("aria-invalid");
    input?.setAttribute("aria-invalid", "true");
    input?.focus();
  }

  function check() {
    if (mode === "login") return username.input.value && password.input.value ? null : ["Enter your username and password.", username.input];
    if (!name.input.value.trim()) return ["Enter the name that your friends should see.", name.input];
    if (!/^[a-z0-9_.-]{3,32}$/.test(username.input.value.trim().toLowerCase())) {
      return ["A username has 3 to 32 characters: a–z, 0–9, _ . -", username.input];
    }
    return password.input.value.length < 8 ? ["A password has at least 8 characters.", password.input] : null;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const problem = check();
    if (problem) return complain(...problem);
    onSubmit();
    busyWhile(submit, async () => {
      const credentials = { username: username.input.value.trim().toLowerCase(), password: password.input.value };
      try {
        const { token } = mode === "signup"
          ? await signUp(location.origin, { ...credentials, name: name.input.value.trim() })
          : await logIn(location.origin, { ...credentials, device: lastDevice() });
        localStorage.setItem("muster.known", "1");
        onSignedIn(token);
      } catch (error) {
        if (!(error instanceof MusterError)) throw error;
        const texts = { conflict: "This username is taken. Choose another, or log in.", unauthorized: "The username or the password is wrong." };
        const inputs = { conflict: username.input, unauthorized: password.input, username: username.input, password: password.input, name: name.input };
        complain(texts[error.code] ?? explain(error), inputs[error.code] ?? inputs[error.field]);
      }
    });
  });

  const welcome = element("p", { class: "lead" }, "See your friends on a live map, and be told when they are together without you.");
  const card = element("section", { class: "card", "aria-labelledby": "brand" },
    element("h1", { id: "brand", class: "brand" }, element("img", { src: "icon.svg", alt: "", width: 40, height: 40 }), "Muster"),
    invite ? inviteCard(invite) : welcome,
    notice ? element("p", { class: "notice", role: "status" }, notice) : null,
    element("div", { class: "segments", role: "group", "aria-label": "New here?" }, choices),
    form);
  return element("main", { class: "sign-in", id: "main", tabindex: "-1" }, card);
}

/** The group of an invite, loaded from the server. */
function inviteCard(code) {
  const text = element("p", { "data-testid": "invite-preview" }, "Looking at your invite…");
  invitePreview(location.origin, code).then(
    ({ group, inviter }) => text.replaceChildren(element("strong", {}, inviter.name), " invites you to ",
      element("strong", {}, group.name), ` · ${group.members} ${group.members === 1 ? "member" : "members"}`),
    (error) => setText(text, error.code === "not_found" || error.code === "gone"
      ? "This invite does not exist any more. Ask your friend for a new one." : explain(error)),
  );
  return element("div", { class: "invited" }, text);
}
