const DEFAULTS = { tiles: { url: null, attribution: "", maxZoom: 19 }, center: [40.7128, -74.006], zoom: 12 };

/** What the operator chose in `config.json`; what is missing there has a default. */
export async function loadConfig() {
  try {
    const answer = await fetch("/config.json");
    const chosen = await answer.json();
    return { ...DEFAULTS, ...chosen, tiles: { ...DEFAULTS.tiles, ...chosen.tiles } };
  } catch {
    return DEFAULTS;
  }
}
