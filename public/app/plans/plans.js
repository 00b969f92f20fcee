import { stylesheet } from "../ui/dom.js";
import { PlansPanel } from "./panel.js";

export const route = "plans";
export const title = "Plans";

await stylesheet("/app/plans/plans.css");

/** Plans beside the map: `#/plans`, `#/plans/new`, `#/plans/new/0` of what was suggested, `#/plans/701`. */
export function panel(context) {
  return new PlansPanel(context);
}

/** The plan that is opened, on the map. */
export async function layer(context) {
  const { PlanLayer } = await import("./layer.js");
  return new PlanLayer(context);
}
