import type { IssuedKey, Key } from "./schemas.ts";

/** A key for the description and the documentation. */
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
  last_used_at: null,
};

/** The one answer that shows it; the key of the example opens nothing: its checksum is wrong. */
export const exampleIssued = { ...exampleKey, key: "aos_dev_0aB3ExampleExampleExampleExample9xYz" } satisfies IssuedKey;
