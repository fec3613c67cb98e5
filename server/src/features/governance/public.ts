/** What other slices may ask of governance. */

export { type ExhaustedBudget, exhaustedBudgets, exhaustedText } from "./budgets/exhausted.ts";
export { budgetsSeen } from "./budgets/seen.ts";
export { budgetStandings } from "./budgets/standing.ts";
export { engageInside, type InsideStop } from "./kill-switch/engage-inside.ts";
export { killSwitchEngagedEvent } from "./kill-switch/events.ts";
export { type Held, type HoldView, holdOn, pausesOfCalls, sourceOfHeld } from "./kill-switch/holds.ts";
export { type CallVerdict, callVerdict } from "./policies/call-verdict.ts";
export { policiesNaming, policiesOf } from "./policies/in-force.ts";
export { policyFaults } from "./policies/model.ts";
export { findPortablePolicy } from "./policies/portable.ts";
export {
  type AskedOfProposal,
  type Proposal,
  type Proposed,
  proposals,
  type SaidOfProposal,
} from "./proposals-port.ts";
