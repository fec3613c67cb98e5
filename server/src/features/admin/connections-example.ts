import type { Connection, ConnectionTest } from "./connections-schemas.ts";

/** A test for the description and the documentation. */
export const exampleConnectionTest: ConnectionTest = {
  connection: "openai-main",
  ok: true,
  code: null,
  detail: "OpenAI took the credentials and listed its models.",
  milliseconds: 312,
  tested_at: "2026-11-21T09:31:00.000Z",
};

/** A connection for the description and the documentation. */
export const exampleConnection: Connection = {
  connection: "openai-main",
  kind: "openai",
  base_url: "https://api.openai.com/v1",
  auth: null,
  has_secret: true,
  last_four: "x7Qd",
  created_by: "mbr_01jd8x0000000000000000000h",
  created_at: "2026-11-21T09:30:00.000Z",
  changed_at: "2026-11-21T09:30:00.000Z",
  last_test: exampleConnectionTest,
  used_by: [{ agent: "sales", version: null, place: "model" }],
};
