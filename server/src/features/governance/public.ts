export { budgetStandings, budgetsSeen, type ExhaustedBudget, exhaustedBudgets, exhaustedText } from "./budgets/view.ts";
export { killSwitchEngagedEvent } from "./kill-switches/events.ts";
export { type Held, type HoldView, holdOn, pausesOfCalls, sourceOfHeld } from "./kill-switches/holds.ts";
export { engageInside, type InsideStop } from "./kill-switches/store.ts";
export { type CallVerdict, callVerdict } from "./policies/check.ts";
export { policyFaults } from "./policies/rules.ts";
export { findPortablePolicy, policiesNaming, policiesOf } from "./policies/store.ts";
export {
  type AskedOfProposal,
  type PolicyPort,
  type Proposal,
  type Proposed,
  policyPort,
  proposals,
  type SaidOfProposal,
} from "./ports.ts";
