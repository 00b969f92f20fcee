/**
 * Module hooks that let Node import the page's modules as a browser does: `/muster.js` is `public/muster.js`, and every
 * file there is an ES module.
 */
const PUBLIC = new URL("../../public/", import.meta.url).href;
const TESTS = new URL("./", import.meta.url).href;

export async function resolve(specifier, context, next) {
  const { parentURL = "" } = context;
  const isOurs = parentURL.startsWith(PUBLIC) || parentURL.startsWith(TESTS);
  const found = await next(isOurs && specifier.startsWith("/") ? PUBLIC + specifier.slice(1) : specifier, context);
  return found.url.startsWith(PUBLIC) ? { ...found, format: "module" } : found;
}
