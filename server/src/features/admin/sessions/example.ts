import type { ListedSession, PasskeyResponse, Session } from "./schemas.ts";

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

export const exampleListed: ListedSession = {
  session_id: exampleSession.session_id,
  member_id: exampleSession.member,
  member_name: exampleSession.name,
  method: "passkey",
  current: true,
  address: "192.0.2.10",
  browser: "Mozilla/5.0",
  created_at: "2026-11-20T08:00:00.000Z",
  last_used_at: "2026-11-20T09:30:00.000Z",
  expires_at: exampleSession.expires_at,
};

export const examplePasskey = {
  passkey_id: "psk_01jd8x0000000000000000000p",
  name: "Laptop",
  created_at: "2026-11-20T08:00:00.000Z",
  last_used_at: null,
};

/** Its shape only: it proves nothing. */
export const exampleResponse: PasskeyResponse = {
  id: "ExampleCredential",
  rawId: "ExampleCredential",
  type: "public-key",
  response: { clientDataJSON: "e30" },
  clientExtensionResults: {},
};

export const exampleOptions = {
  challenge: "ExampleChallenge",
  rpId: "agents.example.com",
  userVerification: "required",
};
