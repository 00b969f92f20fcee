import { stylesheet } from "../ui/dom.js";
import { PlansPanel } from "./panel.js";

export const route = "plans";

await stylesheet("/app/plans/plans.css");

/** The panel of plans: `#/plans`, `#/plans/new`, the suggestion `#/plans/new/0`, `#/plans/701`. */
export function panel(context) {
  return new PlansPanel(context);
}

/** The opened plan on the map. */
export async function layer(context) {
  const { PlanLayer } = await import("./layer.js");
  return new PlanLayer(context);
}
