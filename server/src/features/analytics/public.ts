// What other slices may ask of analytics.

export { standingAlert, standingReport } from "./output-kinds.ts";
