/** The trust score: the probability that a reviewer would accept the outcome of a task. */
export * from "./config.ts";
export * from "./cross-fit.ts";
export * from "./fit.ts";
export * from "./raise.ts";
export * from "./record.ts";
export * from "./reliability.ts";
export * from "./score.ts";
