import { readStreetMap } from "../streets/source.js";

const DEFAULTS = { center: [40.7128, -74.006], zoom: 12 };

/**
 * The operator's `config.json`, with `streets`, the server's description of its map, null when it cannot be read.
 *
 * A centre that the operator does not set is that of the map.
 */
export async function loadConfig() {
  const [chosen, streets] = await Promise.all([readChosen(), readStreetMap()]);
  const [lon, lat, zoom] = streets?.center ?? [];
  return { ...DEFAULTS, ...(streets?.center ? { center: [lat, lon], zoom } : {}), ...chosen, streets };
}

async function readChosen() {
  try {
    const answer = await fetch("/config.json");
    return await answer.json();
  } catch {
    return {};
  }
}
