/** What other slices and the wiring may ask of missions. */

export { reserveTask } from "./reserve.ts";
