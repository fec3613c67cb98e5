import { installationLimits } from "./installation-limits.ts";
import type { EnvironmentSettings, Member } from "./people-schemas.ts";
import { effectiveSettings } from "./settings-model.ts";

/** Settings for the description and the documentation. */
export const exampleSettings: EnvironmentSettings = {
  environment: "development",
  revision: 3,
  settings: effectiveSettings(
    { rate: { per_second: 50 }, approvals: { high: { expires_in_seconds: 86_400, on_expiry: "escalate" } } },
    "development",
  ),
  limits: installationLimits,
};

/** A member for the description and the documentation. */
export const exampleMember: Member = {
  member_id: "mbr_01jd8x0000000000000000000e",
  kind: "person",
  name: "Sample Approver",
  email: "approver@example.com",
  role: "approver",
  state: "active",
  keys: 1,
  invited_by: "mbr_01jd8x0000000000000000000h",
  invitation_sent_at: null,
  created_at: "2026-11-20T09:30:00.000Z",
};
