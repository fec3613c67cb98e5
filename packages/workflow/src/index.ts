export { Budget, NeedsThread } from "@aos/cel";
export { actionOf, factsOf, givenOf, itemActionOf, scopeOf, undoOf } from "./actions.ts";
export { advance, newRun } from "./advance.ts";
export { callBudget, conditionBounds, smallBudget, threadBudget, trialBudgets } from "./budgets.ts";
export { findingsOf } from "./check.ts";
export { type Control, type Controlled, type ControlRefused, control, type Migration, migrationOf } from "./control.ts";
export * from "./definition.ts";
export { durationMs, durationPattern } from "./duration.ts";
export {
  ExpressionFault,
  evaluate,
  failureOfFault,
  holds,
  resolve,
  resolveAll,
  type Scope,
  type StepFacts,
  syntaxFault,
} from "./expressions.ts";
export type { Finding } from "./findings.ts";
export { type GraphEdge, type GraphNode, graphOf, mermaidOf, type WorkflowGraph } from "./graph.ts";
export type { KnownCalls } from "./known.ts";
export { nextWake, type Outstanding, outstanding } from "./outlook.ts";
export { type Plan, type PlannedStep, planOf, withSkillOutputs } from "./plan.ts";
export { outputReadsOf, type Reads, readsOf, undoReadsOf } from "./reads.ts";
export { publishedSchema } from "./schema.ts";
export * from "./state.ts";
export { commonMembers, type StepTypeFacts, stepTypes } from "./step-types.ts";
export { type Fixtures, type Trial, type TrialStep, trialOf } from "./trial.ts";
export type { Schema } from "./value-schemas.ts";
