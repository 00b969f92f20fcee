import { hasAccount, lastDevice } from "./account.js";
import { MusterError, authProviders, invitePreview, logIn, signUp } from "../client/http.js";
import { busyWhile, button, element, setShown, setText } from "./ui/dom.js";
import { field } from "./ui/form.js";
import { explain } from "./ui/text.js";
import { phrase, phraseNodes } from "./ui/words.js";

/**
 * The page for signing up or logging in. After an invite link it also shows the group to join.
 * @param {{invite: string|null, onSignedIn: (token: string) => void, onSubmit: () => void, notice?: string}} options
 *   `onSubmit`: called when the form is sent, to preload the next page
 */
export function signInView({ invite, onSignedIn, onSubmit, notice }) {
  const name = field(phrase("profile.name"), { name: "name", autocomplete: "name", required: true, maxlength: 80, "data-testid": "signup-name" },
    { hint: phrase("profile.name.hint") });
  const username = field(phrase("sign.username"), { name: "username", autocomplete: "username", required: true, minlength: 3, maxlength: 32,
    autocapitalize: "none", spellcheck: "false", "data-testid": "auth-username" }, { hint: phrase("sign.username.hint") });
  const password = field(phrase("sign.password"), { name: "password", type: "password", required: true, maxlength: 256, "data-testid": "auth-password" },
    { hint: phrase("sign.password.hint") });
  const fields = { name, username, password };
  const wrong = element("p", { class: "wrong", role: "alert", "data-testid": "auth-error", hidden: true });
  const submit = element("button", { class: "filled wide", type: "submit", "data-testid": "auth-submit" });
  const after = element("p", { class: "hint note" }, phrase("sign.after"));
  const form = element("form", { novalidate: true, "data-testid": "auth-form" }, name.row, username.row, password.row, wrong, submit, after);

  const choices = ["signup", "login"].map((mode) =>
    element("button", { type: "button", class: "segment", "data-testid": `auth-mode-${mode}`, onclick: () => choose(mode) },
      mode === "signup" ? phrase("sign.up") : phrase("sign.in")));
  let mode;
  function choose(chosen) {
    mode = chosen;
    const joining = mode === "signup";
    choices.forEach((choice, index) => choice.setAttribute("aria-pressed", String((index === 0) === joining)));
    complain();
    for (const part of [name.row, after]) setShown(part, joining);
    for (const { hint } of [username, password]) setShown(hint, joining);
    password.input.autocomplete = joining ? "new-password" : "current-password";
    setText(submit, joining ? phrase("sign.create") : phrase("sign.in"));
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
      if (!username.input.value) problems.username = phrase("sign.username.missing");
      if (!password.input.value) problems.password = phrase("sign.password.missing");
      return problems;
    }
    if (!name.input.value.trim()) problems.name = phrase("sign.name.missing");
    if (!/^[a-z0-9_.-]{3,32}$/.test(username.input.value.trim().toLowerCase())) problems.username = phrase("sign.username.wrong");
    if (password.input.value.length < 8) problems.password = phrase("sign.password.short");
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
        const known = { conflict: ["username", phrase("sign.username.taken")], unauthorized: ["password", phrase("sign.wrong")] };
        const [key, text] = known[error.code] ?? [error.field in fields ? error.field : "general", explain(error)];
        complain({ [key]: text });
      }
    });
  });

  const segments = element("div", { class: "segments", role: "group", "aria-label": phrase("sign.new") }, choices);
  const ways = providerButtons({
    onTrouble: (text) => complain({ general: text }),
    // Without passwords, the providers' buttons and what went wrong with them are all there is.
    onWays: ({ passwords }) => {
      if (passwords) return;
      for (const part of [segments, form]) setShown(part, false);
      ways.after(wrong);
    },
  });
  const welcome = element("p", { class: "lead" }, phrase("sign.welcome"));
  const card = element("section", { class: "card", "aria-labelledby": "brand" },
    element("h1", { id: "brand", class: "brand" }, element("img", { src: "icon.svg", alt: "", width: 40, height: 40 }), "Muster"),
    invite ? inviteCard(invite) : welcome,
    notice ? element("p", { class: "notice", role: "status" }, notice) : null,
    ways,
    segments,
    form);
  return element("main", { class: "sign-in", id: "main", tabindex: "-1" }, card);
}

/** Who invites to which group, as the server told it before the user has joined: the contents of a paragraph. */
export function invitation({ group, inviter }) {
  return phraseNodes("join.invitation", { inviter: element("strong", {}, inviter.name), group: element("strong", {}, group.name), count: group.members });
}

/** The group of an invite, loaded from the server. */
function inviteCard(code) {
  const text = element("p", { "data-testid": "invite-preview" }, phrase("join.looking"));
  invitePreview(location.origin, code).then(
    (invite) => text.replaceChildren(...invitation(invite)),
    (error) => setText(text, error.code === "not_found" || error.code === "gone"
      ? phrase("join.gone") : explain(error)),
  );
  return element("div", { class: "invited" }, text);
}

/**
 * A button for each provider that the server offers, by the text of its configuration.
 *
 * The view is empty until the server has answered, and stays so when there are none.
 * @param {{onTrouble: (text: string) => void, onWays: (ways: {passwords: boolean}) => void}} options
 */
function providerButtons({ onTrouble, onWays }) {
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
    const { leaveFor, signInTrouble } = await import("./sign-in/flow.js");
    try {
      await leaveFor(id, { purpose: "login" });
    } catch (error) {
      onTrouble(signInTrouble(error.code));
    }
  }, { class: "tonal wide", "data-testid": `provider-${id}` });
  if (!available) made.append(element("span", { class: "hint" }, ` ${phrase("provider.away")}`));
  return made;
}
