import { defineSlice } from "../../kernel/slice.ts";
import { budgetFacts } from "./budgets/facts.ts";
import { budgetSweep } from "./budgets/grant-store.ts";
import { killSwitchFacts } from "./kill-switches/facts.ts";
import { policyFacts } from "./policies/facts.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    ksw: "kill switches";
    pol: "policies";
  }
}

export const slice = defineSlice({
  about: "Policies, budgets, kill switches, violations, confirmations and take-overs.",
  schemas,
  actions: {
    "automation.read": {},
    "automation.take_over": {},
    "budget.read": {},
    "budget.set": {},
    "content.confirm": {},
    "content.read": {},
    "policy.check": { neverDenied: true },
    "policy.create": { neverDenied: true },
    "policy.mode": { neverDenied: true },
    "policy.read": { neverDenied: true },
    "policy.replace": { neverDenied: true },
    "policy.retire": { neverDenied: true },
    "policy.simulate": { neverDenied: true },
    "kill_switch.engage": { neverDenied: true },
    "kill_switch.read": { neverDenied: true },
    "kill_switch.release": { neverDenied: true },
    "violation.read": {},
  },
  facts: [budgetFacts, policyFacts, killSwitchFacts],
  sweeps: [budgetSweep],
});
