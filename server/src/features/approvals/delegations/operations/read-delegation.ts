import { delegations } from "../resource.ts";

export const readDelegation = delegations.readOperation({
  id: "approvals.readDelegation",
  summary: "Read a delegation",
});
