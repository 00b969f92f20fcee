import { element, setAttribute } from "../ui/dom.js";
import { locale } from "../ui/words.js";

const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** Draws a cluster of `count` points. */
export function drawCluster(face, count) {
  setAttribute(face, "class", "pin cluster");
  const wanted = `count ${count}`;
  if (face.dataset.drawn === wanted) return;
  face.dataset.drawn = wanted;
  face.replaceChildren(element("span", { class: "cluster-count" }, short.format(count)));
}

/** The number of points that a feature represents. */
export function countOf(feature) {
  return feature.properties.point_count ?? 1;
}
