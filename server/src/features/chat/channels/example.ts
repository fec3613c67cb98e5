import type { Channel } from "./schemas.ts";

const at = "2026-11-23T09:00:00.000Z";

export const exampleEmailConfig = {
  address: "help@example.com",
  sender_name: "Example Support",
  imap: { host: "imap.example.com" },
  smtp: { host: "smtp.example.com", port: 587, security: "starttls" },
  trust_authentication_results: "mx.example.com",
} as const;

export const exampleChannel: Channel = {
  name: "help",
  kind: "email",
  agent: "support",
  enabled: true,
  config: exampleEmailConfig,
  has_secret: true,
  events_url: null,
  state: "ok",
  stopped_reason: null,
  last_error: null,
  last_read_at: at,
  deliveries: { waiting: 0, failed: 0, last_error: null },
  answers_for: "mbr_01jd8x0000000000000000000e",
  revision: 1,
  created_at: at,
  updated_at: at,
};
