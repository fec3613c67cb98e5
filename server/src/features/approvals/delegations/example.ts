import type { Delegation } from "./schemas.ts";

const owner = { id: "mbr_01jd8x0000000000000000000e", name: "Owner", kind: "person" } as const;

export const exampleDelegation: Delegation = {
  delegation_id: "dlg_01jd8x0000000000000000000j",
  from: owner,
  to: { id: "mbr_01jd8x0000000000000000000g", name: "Sample Approver", kind: "person" },
  starts_at: "2026-12-21T00:00:00.000Z",
  ends_at: "2027-01-04T00:00:00.000Z",
  reason: "On leave.",
  state: "scheduled",
  ended_reason: null,
  created_by: owner,
  created_at: "2026-11-20T09:30:00.000Z",
};
