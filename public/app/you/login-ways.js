import { confirmLogin, identities, setPassword, unlinkIdentity } from "../../client/calls.js";
import { MusterError, authProviders } from "../../client/http.js";
import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { leaveFor, signInTrouble } from "../sign-in/flow.js";
import { busyWhile, button, element } from "../ui/dom.js";
import { field, sureButton } from "../ui/form.js";
import { explain } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The user's ways to log in: identities at providers with link and unlink, and the password. */
export class LoginWays {
  #session;
  #counted;
  #list = element("div", { class: "stack", "data-testid": "login-ways" });
  view = element("div", { class: "stack" }, this.#list);
  /** Whether the server offers providers, as far as it has answered. */
  hasProviders = false;

  /** @param {object} session @param {(words: string) => void} counted told how many ways there are */
  constructor(session, counted) {
    this.#session = session;
    this.#counted = counted;
  }

  /** Loads the ways from the server. */
  async read() {
    const { token } = this.#session;
    const [ways, own] = await Promise.all([authProviders(location.origin), identities(location.origin, token)]);
    this.hasProviders = ways.providers.length > 0;
    const linked = own.identities.map((identity) => this.#linked(identity, own));
    const open = ways.providers.filter(({ id }) => !own.identities.some(({ provider }) => provider === id));
    const links = open.map((provider) => this.#action(phrase("ways.link", { name: provider.name }), `link-${provider.id}`, own,
      () => leaveFor(provider.id, { purpose: "link", token })));
    const password = ways.passwords ? this.#passwordForm(own) : null;
    this.#list.replaceChildren(...[...linked, ...links, password].filter(Boolean));
    if (this.#list.childElementCount === 0) this.#list.append(element("p", { class: "hint" }, phrase("ways.none")));
    this.#counted(own.identities.map(({ name }) => name).join(", "));
  }

  #linked(identity, own) {
    const remove = sureButton(phrase("ways.unlink"), phrase("ways.unlink.sure", { name: identity.name }), () => this.#try(own, async () => {
      await unlinkIdentity(location.origin, this.#session.token, identity.id);
      toast(phrase("ways.unlink.done", { name: identity.name }));
      await this.read();
    }), { "data-testid": `unlink-${identity.provider}` });
    return element("div", { class: "line-row" }, element("span", { class: "grow" }, identity.name), remove);
  }

  #action(text, testid, own, act) {
    return button(text, () => this.#try(own, act), { class: "tonal", "data-testid": testid });
  }

  #passwordForm(own) {
    const current = own.password ? field(phrase("ways.password.current"), { type: "password", autocomplete: "current-password", maxlength: 256, "data-testid": "password-current" }) : null;
    const fresh = field(phrase("ways.password.new"), { type: "password", autocomplete: "new-password", maxlength: 256, "data-testid": "password-new" });
    const save = element("button", { type: "submit", class: "filled", "data-testid": "password-save" }, phrase("ways.password.save"));
    const form = element("form", { class: "stack", novalidate: true }, current?.row ?? null, fresh.row, save);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const isShort = fresh.input.value.length < 8;
      fresh.complain(isShort ? phrase("sign.password.short") : null);
      current?.complain(null);
      if (isShort) return fresh.input.focus();
      busyWhile(save, () => this.#try(own, async () => {
        try {
          await setPassword(location.origin, this.#session.token, { new: fresh.input.value, current: current?.input.value });
        } catch (error) {
          if (error.field !== "current") throw error;
          current?.complain(phrase("ways.password.wrong"));
          return current?.input.focus();
        }
        toast(phrase("ways.password.saved"));
        await this.read();
      }));
    });
    return element("details", { class: "folded" }, element("summary", { class: "line-row", "data-testid": "password-open" }, own.password ? phrase("ways.password.change") : phrase("ways.password.set")), form);
  }

  /** Runs an action; asks who it is when the login is too old for it. */
  async #try(own, act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof MusterError)) throw error;
      if (error.needsNewLogin) return this.#askWho(own, act);
      const text = error.code === "conflict" ? phrase("ways.last") : error.status === undefined ? explain(error) : signInTrouble(error.code);
      toast(text);
    }
  }

  /** Runs an action of another part of the page; asks who it is when the login is too old for it. */
  async proving(act) {
    try {
      await act();
    } catch (error) {
      if (!error.needsNewLogin) throw error;
      this.#askWho(await identities(location.origin, this.#session.token), act);
    }
  }

  /** Asks for the password, or leads to a linked provider. */
  #askWho(own, act) {
    const dialog = openDialog(phrase("ways.again"), element("div", { class: "stack" }, own.password ? this.#passwordProof(own, act, () => dialog.close()) : null,
      ...own.identities.map(({ provider, name }) => this.#action(phrase("ways.again.provider", { name }), `confirm-${provider}`, own,
        () => leaveFor(provider, { purpose: "confirm", token: this.#session.token })))), { testid: "confirm-dialog" });
  }

  #passwordProof(own, act, close) {
    const password = field(phrase("sign.password"), { type: "password", autocomplete: "current-password", maxlength: 256, "data-testid": "confirm-password" });
    const go = element("button", { type: "submit", class: "filled", "data-testid": "confirm-submit" }, phrase("ways.again.on"));
    const note = element("p", { class: "hint" }, phrase("ways.again.password"));
    const form = element("form", { class: "stack", novalidate: true }, note, password.row, go);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      busyWhile(go, async () => {
        try {
          await confirmLogin(location.origin, this.#session.token, password.input.value);
        } catch (error) {
          if (!(error instanceof MusterError)) throw error;
          return password.complain(error.code === "unauthorized" ? phrase("ways.password.wrong") : explain(error));
        }
        close();
        await this.#try(own, act);
      });
    });
    return form;
  }
}
