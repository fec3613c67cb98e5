import { defineSlice } from "../../kernel/slice.ts";
import { expireApprovals, remindOfApprovals } from "./decisions/sweep.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dlg: "delegations";
    apr: "approvals";
  }
}

export const slice = defineSlice({
  about: "Approvals that tasks wait for.",
  schemas,
  actions: {
    "approval.bulk": {},
    "approval.decide": { carriesInput: true },
    "approval.delegate": {},
    "approval.read": {},
    "delegation.change": {},
    "delegation.read": {},
  },
  sweeps: [expireApprovals, remindOfApprovals],
});
