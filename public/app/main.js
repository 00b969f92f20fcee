import { device, forgetToken, onTokenChanged, rememberToken, storedToken } from "./account.js";
import { signInView } from "./sign-in.js";
import { Workspace } from "./workspace.js";

const root = document.getElementById("root");
let workspace = null;

/** The code of the invite link that the page was opened with; null when it was another address. */
function inviteInAddress() {
  return /^#\/join\/([^/?#]+)/.exec(location.hash)?.[1] ?? null;
}

function forgetInvite() {
  history.replaceState(null, "", location.pathname);
}

async function show({ notice } = {}) {
  workspace?.close();
  workspace = null;
  const token = storedToken();
  if (token === null) {
    const onSignedIn = (fresh) => {
      rememberToken(fresh);
      show();
    };
    root.replaceChildren(signInView({ invite: inviteInAddress(), onSignedIn, notice }));
    return;
  }
  workspace = new Workspace({
    token,
    device: await device(),
    onSignedOut: (why) => {
      forgetToken();
      show({ notice: why });
    },
  });
  root.replaceChildren(workspace.view);
  workspace.open();
  offerInvite();
}

function offerInvite() {
  const code = inviteInAddress();
  if (code === null || workspace === null) return;
  forgetInvite();
  workspace.offerInvite(code);
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // The fragment is the page's own address, so the skip link must not write to it.
  event.preventDefault();
  document.getElementById("main")?.focus();
});
addEventListener("hashchange", () => (workspace ? offerInvite() : show()));
onTokenChanged(() => show());
show();
