import { randomUUID } from "node:crypto";
import { type Arrangements, nothing } from "./arranged.ts";

// Members and settings.

export const arrange: Arrangements = {
  "admin.listMembers": nothing,
  "admin.setMember": async (app, environment) => ({
    params: { member: (await app.member("viewer", environment)).memberId },
    body: { role: "operator" },
  }),
  "admin.inviteMember": async (app, environment) => {
    const member = `invited-${randomUUID()}@example.com`;
    await app.call("PUT", `/v1/admin/members/${member}`, { environment, body: { role: "viewer" } });
    return { params: { member }, body: {} };
  },
  "admin.listSessions": nothing,
  "admin.revokeSession": async (app, environment) => {
    const { secret } = await app.member("viewer", environment);
    const { body } = await app.call("POST", "/auth/session", { key: null, body: { key: secret } });
    return { params: { session: body.session_id }, body: {} };
  },
  "admin.readSettings": nothing,
  "admin.changeSettings": async (app, environment) => ({
    params: {},
    body: { settings: { approvals: { low: { expires_in_seconds: 86_400 } } } },
    headers: { "if-match": (await app.call("GET", "/v1/admin/settings", { environment })).headers.get("etag") ?? "" },
  }),
  "admin.readMember": async (app, environment) => ({
    params: { member: (await app.member("viewer", environment)).memberId },
  }),
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "admin.inviteMember":
    "members belong to the organization; who has no role in the environment of the call is not invited to it",
  "admin.readMember": "members belong to the organization; the role is of the environment of the call",
  "admin.setMember": "members belong to the organization; the role is of the environment of the call",
};
