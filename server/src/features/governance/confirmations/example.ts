import type { AccountableContent, Confirmation } from "./schemas.ts";

export const exampleConfirmation: Confirmation = {
  confirmation_id: "cnf_01jd8x0000000000000000000a",
  object: "agent:sales@3",
  digest: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
  how: "confirmed",
  confirmed_by: "mbr_01jd8x0000000000000000000b",
  confirmed_by_name: "Sample Approver",
  confirmed_at: "2026-11-21T10:00:00.000Z",
};

export const exampleContent: AccountableContent = {
  object: exampleConfirmation.object,
  digest: exampleConfirmation.digest,
  path: "/v1/agents/sales/versions/3",
  agents: ["sales"],
  deciders: [
    {
      member: { id: "mbr_01jd8x0000000000000000000e", name: "Owner", kind: "person" },
      how: "agent",
      text: "changed the agent's instructions, skills or tools",
      of: "agent:sales@3",
      at: "2026-11-20T09:30:00.000Z",
    },
  ],
  confirmed: null,
  may_confirm: { allowed: true, reason: null },
};
