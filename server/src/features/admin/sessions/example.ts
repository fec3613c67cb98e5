import type { Session } from "./schemas.ts";

/** A session for tests and the decision record; its token opens nothing. */
export const exampleSession: Session = {
  session_id: "ses_01jd8x0000000000000000000s",
  member: "mbr_01jd8x0000000000000000000e",
  member_kind: "member",
  name: "Owner",
  role: "admin",
  environment: "development",
  scopes: null,
  agents: null,
  method: "link",
  csrf: "ExampleExampleExampleExampleExampleExample0",
  expires_at: "2026-11-20T21:30:00.000Z",
};
