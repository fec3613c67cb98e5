/** What other slices may ask of governance. */

export { type Held, type HoldView, holdOn, pausesOfCalls } from "./kill-switch/holds.ts";
export { policiesNaming } from "./policies/in-force.ts";
export {
  type AskedOfProposal,
  type Proposal,
  type Proposed,
  proposals,
  type SaidOfProposal,
} from "./proposals-port.ts";
