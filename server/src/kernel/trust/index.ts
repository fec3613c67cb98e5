/** The trust score: the probability that a reviewer would accept the outcome of a task (governance: trust score). */
export * from "./calibration.ts";
export * from "./config.ts";
export * from "./evidence.ts";
export * from "./raise.ts";
export * from "./reliability.ts";
export * from "./score.ts";
