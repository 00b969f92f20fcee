/** The themes of the street map, and what the page itself needs of them: the other colours are in `style.js`, for the worker. */

export const THEME_NAMES = ["light", "dark", "contrast", "contrastDark"];

/** The colours of the ground without streets, in the order of `THEME_NAMES`: beyond the imported parts, land, water, the grid. */
export const GROUND = {
  beyond: ["#e9e7e1", "#141b22", "#dedede", "#1c1c1c"],
  land: ["#f4f2ec", "#1b232c", "#ffffff", "#000000"],
  water: ["#b9d9ea", "#0d1821", "#93ccf0", "#003052"],
  rail: ["#bdb9b1", "#3c4853", "#333333", "#c4c4c4"],
};

/** The media queries that select a theme. */
export const THEME_QUERIES = { isDark: "(prefers-color-scheme: dark)", isStrong: "(prefers-contrast: more), (forced-colors: active)" };

/** The name of the theme that the reader's settings select. */
export function chosenTheme(isDark = matchMedia(THEME_QUERIES.isDark).matches, isStrong = matchMedia(THEME_QUERIES.isStrong).matches) {
  return THEME_NAMES[(isStrong ? 2 : 0) + (isDark ? 1 : 0)];
}

/** The colours of the ground in a theme, by their names in `GROUND`. */
export function groundColours(theme) {
  return Object.fromEntries(Object.entries(GROUND).map(([name, colours]) => [name, colours[THEME_NAMES.indexOf(theme)]]));
}
