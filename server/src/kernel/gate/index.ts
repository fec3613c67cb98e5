/** The evaluation gate's decision (governance: evaluation gate), pure. */
export { gateConfig } from "./config.ts";
export { decideGate } from "./decide.ts";
export * from "./types.ts";
