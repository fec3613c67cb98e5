import type { Connection, ConnectionTest } from "./connections/schemas.ts";
import type { IssuedKey, Key, Member } from "./schemas.ts";
import { effectiveSettings, installationLimits } from "./settings/rules.ts";
import type { EnvironmentSettings } from "./settings/schemas.ts";

// Examples of the API description.

export const exampleKey: Key = {
  key_id: "key_01jd8x0000000000000000000f",
  name: "Lead intake",
  environment: "development",
  role: "operator",
  scopes: ["tasks:read", "tasks:write"],
  agents: ["sales"],
  addresses: ["192.0.2.0/24"],
  rate_per_second: 20,
  member_id: "mbr_01jd8x0000000000000000000g",
  member_kind: "service_account",
  member_name: "lead-intake",
  start: "aos_dev_0aB3",
  last_four: "9xYz",
  state: "active",
  created_by: "mbr_01jd8x0000000000000000000e",
  personal: false,
  created_at: "2026-11-20T09:30:00.000Z",
  expires_at: "2027-02-18T09:30:00.000Z",
  revoked_at: null,
  replaced_by: null,
  last_used_at: null,
};

/** Opens nothing: its checksum is wrong. */
export const exampleIssued = { ...exampleKey, key: "aos_dev_0aB3ExampleExampleExampleExample9xYz" } satisfies IssuedKey;

export const exampleSettings: EnvironmentSettings = {
  environment: "development",
  revision: 3,
  settings: effectiveSettings(
    { rate: { per_second: 50 }, approvals: { high: { expires_in_seconds: 86_400, on_expiry: "escalate" } } },
    "development",
  ),
  limits: installationLimits,
};

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

export const exampleConnectionTest: ConnectionTest = {
  connection: "openai-main",
  ok: true,
  code: null,
  detail: "OpenAI took the credentials and listed its models.",
  milliseconds: 312,
  tested_at: "2026-11-21T09:31:00.000Z",
};

export const exampleConnection: Connection = {
  connection: "openai-main",
  kind: "openai",
  base_url: "https://api.openai.com/v1",
  auth: null,
  has_secret: true,
  last_four: "x7Qd",
  digest: "0b5c3f7a9d1e2468ace013579bdf02468ace13579bdf02468ace13579bdf0246",
  deciders: [
    {
      id: "mbr_01jd8x0000000000000000000h",
      how: "connection",
      of: "connection:openai-main",
      at: "2026-11-21T09:30:00.000Z",
    },
  ],
  confirmed_by: null,
  confirmed_at: null,
  created_by: "mbr_01jd8x0000000000000000000h",
  created_at: "2026-11-21T09:30:00.000Z",
  changed_at: "2026-11-21T09:30:00.000Z",
  last_test: exampleConnectionTest,
  used_by: [{ agent: "sales", version: null, place: "model" }],
};
