import { hasAccount, lastDevice } from "./account.js";
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
    { hint: "Friends see this on the map." });
  const username = field("Username", { name: "username", autocomplete: "username", required: true, minlength: 3, maxlength: 32,
    autocapitalize: "none", spellcheck: "false", "data-testid": "auth-username" }, { hint: "3 to 32 of a–z, 0–9, _ . -" });
  const password = field("Password", { name: "password", type: "password", required: true, maxlength: 256, "data-testid": "auth-password" },
    { hint: "At least 8 characters." });
  const fields = { name, username, password };
  const wrong = element("p", { class: "wrong", role: "alert", "data-testid": "auth-error", hidden: true });
  const submit = element("button", { class: "filled wide", type: "submit", "data-testid": "auth-submit" });
  const after = element("p", { class: "hint note" }, "You choose later who sees where you are.");
  const form = element("form", { novalidate: true, "data-testid": "auth-form" }, name.row, username.row, password.row, wrong, submit, after);

  const choices = ["signup", "login"].map((mode) =>
    element("button", { type: "button", class: "segment", "data-testid": `auth-mode-${mode}`, onclick: () => choose(mode) },
      mode === "signup" ? "Sign up" : "Log in"));
  let mode;
  function choose(chosen) {
    mode = chosen;
    const joining = mode === "signup";
    choices.forEach((choice, index) => choice.setAttribute("aria-pressed", String((index === 0) === joining)));
    complain();
    for (const part of [name.row, after]) setShown(part, joining);
    for (const { hint } of [username, password]) setShown(hint, joining);
    password.input.autocomplete = joining ? "new-password" : "current-password";
    setText(submit, joining ? "Create account" : "Log in");
  }

  // Each error stands at its field, and the first has the focus; one without a field stands above the button.
  function complain(problems = {}) {
    for (const [key, each] of Object.entries(fields)) each.complain(problems[key] ?? null);
    for (const { hint } of [username, password]) if (mode === "login") setShown(hint, false);
    setShown(wrong, problems.general !== undefined);
    setText(wrong, problems.general ?? "");
    const first = Object.keys(fields).find((key) => problems[key]);
    if (first) fields[first].input.focus();
  }

  function check() {
    const problems = {};
    if (mode === "login") {
      if (!username.input.value) problems.username = "Enter your username.";
      if (!password.input.value) problems.password = "Enter your password.";
      return problems;
    }
    if (!name.input.value.trim()) problems.name = "Enter the name that your friends should see.";
    if (!/^[a-z0-9_.-]{3,32}$/.test(username.input.value.trim().toLowerCase())) problems.username = "Use 3 to 32 letters a–z, digits, dots or dashes.";
    if (password.input.value.length < 8) problems.password = "Use at least 8 characters.";
    return problems;
  }
  // Who was logged out has an account.
  choose(notice || hasAccount() ? "login" : "signup");

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const problems = check();
    complain(problems);
    if (Object.keys(problems).length > 0) return;
    onSubmit();
    busyWhile(submit, async () => {
      const credentials = { username: username.input.value.trim().toLowerCase(), password: password.input.value };
      try {
        const { token } = mode === "signup"
          ? await signUp(location.origin, { ...credentials, name: name.input.value.trim() })
          : await logIn(location.origin, { ...credentials, device: lastDevice() });
        onSignedIn(token);
      } catch (error) {
        if (!(error instanceof MusterError)) throw error;
        const known = { conflict: ["username", "This username is taken. Choose another, or log in."], unauthorized: ["password", "The username or the password is wrong."] };
        const [key, text] = known[error.code] ?? [error.field in fields ? error.field : "general", explain(error)];
        complain({ [key]: text });
      }
    });
  });

  const welcome = element("p", { class: "lead" }, "See your friends live on a map. Know when they meet without you.");
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
