import { device, forgetToken, onTokenChanged, rememberToken, storedToken } from "./account.js";
import { signInView } from "./sign-in.js";

const root = document.getElementById("root");
let shell = null;

/** The code of the invite link that the page was opened with; null when it was another address. */
function inviteInAddress() {
  return /^#\/join\/([^/?#]+)/.exec(location.hash)?.[1] ?? null;
}

async function show({ notice } = {}) {
  shell?.close();
  shell = null;
  const token = storedToken();
  if (token === null) {
    const onSignedIn = (fresh) => {
      rememberToken(fresh);
      show();
    };
    root.replaceChildren(signInView({ invite: inviteInAddress(), onSignedIn, onSubmit: () => void loadShell(), notice }));
    return;
  }
  // What is needed only by who is logged in is read only then, while the device is looked up.
  const [{ Shell }, self] = await Promise.all([loadShell(), device()]);
  if (storedToken() !== token) return show({ notice });
  shell = new Shell({
    token,
    device: self,
    onSignedOut: (why) => {
      forgetToken();
      history.replaceState(null, "", location.pathname);
      show({ notice: why });
    },
  });
  root.replaceChildren(shell.view);
  shell.open();
}

function loadShell() {
  return import("./shell/shell.js");
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // The fragment is the page's own address, so the skip link must not write to it.
  event.preventDefault();
  document.getElementById("main")?.focus();
});
addEventListener("hashchange", () => {
  if (shell === null && storedToken() === null) show();
});
onTokenChanged(() => show());
show();
