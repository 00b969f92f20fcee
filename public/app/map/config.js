const DEFAULTS = { tiles: { url: null, attribution: "", maxZoom: 19 }, center: [40.7128, -74.006], zoom: 12 };

/** The operator's `config.json`, with defaults for missing values. */
export async function loadConfig() {
  try {
    const answer = await fetch("/config.json");
    const chosen = await answer.json();
    return { ...DEFAULTS, ...chosen, tiles: { ...DEFAULTS.tiles, ...chosen.tiles } };
  } catch {
    return DEFAULTS;
  }
}
