import { defineSlice } from "../../kernel/slice.ts";
import { expireApprovals, remindOfApprovals } from "./decisions/sweep.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dlg: "delegations";
    apc: "comments and other entries of approvals";
    apr: "approvals";
  }
}

export const slice = defineSlice({
  about: "Approvals that tasks wait for.",
  schemas,
  actions: {
    "approval.bulk": {},
    "approval.claim": {},
    "approval.comment": {},
    "approval.decide": { carriesInput: true },
    "approval.delegate": {},
    "approval.extend": {},
    "approval.read": {},
    "approval.withdraw": {},
    "approval_rule.read": {},
    "approval_rule.retire": {},
    "approval_rule.set": {},
    "approval_rule.test": {},
    "delegation.change": {},
    "delegation.read": {},
  },
  sweeps: [expireApprovals, remindOfApprovals],
});
