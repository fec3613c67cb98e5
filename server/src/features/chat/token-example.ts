import type { CreatedChatToken } from "./schemas.ts";

export const exampleChatToken: CreatedChatToken = {
  ...{ token_id: "ctk_01jd8x0000000000000000000k", token: "aosct_eyJvcmdhbml6YXRpb24iOiJkZWZhdWx0In0.Qm9vdA" },
  ...{ agent: "support", channel: "web", user: "customer-4711", conversation: null },
  ...{ origins: ["https://www.example.com"], expires_at: "2026-11-23T09:15:00.000Z" },
  audit_ref: "aud_01jd8x0000000000000000000b",
};
