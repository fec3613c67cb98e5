/** What other slices may ask of governance. */
export { type Held, type HoldView, holdOn, pausesOfCalls } from "./stops/holds.ts";
