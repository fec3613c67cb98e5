export { type Bounds, Budget, NeedsThread, TooCostly, UNITS_PER_MS } from "./budget.ts";
export { type Chain, chainKey, chainOf, chainText, children, isIdentifier } from "./chain.ts";
export type { Charge } from "./charges.ts";
export { Expression } from "./expression.ts";
export { type UnguardedRead, unguardedReads } from "./guards.ts";
export { type CostedFunction, createEnvironment, type EnvironmentOptions } from "./meter.ts";
export { allowMixedNumbers } from "./mixed-numbers.ts";
export { faultyPatterns } from "./written-patterns.ts";
