export { actionOf, itemActionOf, scopeOf, undoOf } from "./actions.ts";
export { advance, newRun } from "./advance.ts";
export * from "./definition.ts";
export { durationMs, durationPattern } from "./duration.ts";
export { ExpressionFault, evaluate, holds, resolve, resolveAll, type Scope, type StepFacts } from "./expressions.ts";
export { type Plan, type PlannedStep, planOf } from "./plan.ts";
export * from "./state.ts";
