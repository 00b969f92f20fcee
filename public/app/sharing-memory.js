/**
 * Until when what one chose to share holds, as far as this browser chose it: the server ends it by itself and tells
 * only how it stands.
 */
const PREFIX = "muster.sharing.";

const key = (user, group) => `${PREFIX}${user}.${group}`;

/** Remembers a choice for some groups; one without an end needs no memory. */
export function rememberSharing(user, groups, { mode, until }) {
  for (const group of groups) {
    if (until) localStorage.setItem(key(user, group), JSON.stringify({ mode, until }));
    else localStorage.removeItem(key(user, group));
  }
}

/** When the mode that is in force ends; null when it does not, or was chosen elsewhere. */
export function sharingEnds(user, group, mode, now) {
  const stored = localStorage.getItem(key(user, group));
  if (stored === null) return null;
  const chosen = JSON.parse(stored);
  return chosen.mode === mode && chosen.until > now ? chosen.until : null;
}
