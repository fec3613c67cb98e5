/** The evaluation gate's decision, pure. */
export { gateConfig } from "./config.ts";
export { decideGate, scorerFigures } from "./decide.ts";
export { looksBy, repeatsAt } from "./looks.ts";
export * from "./types.ts";
