import { randomUUID } from "node:crypto";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

let made = 0;

/** A connection to where nothing listens: a test of it is quick, and leaves this machine in no environment. */
const body = () => ({
  name: `account-${++made}`,
  kind: "http",
  base_url: "https://127.0.0.1:9",
  secret: "a-secret-that-opens-nothing",
});

const added: Arrange = async (app: TestApp, environment: Environment) => {
  const { body: connection } = await app.call("POST", "/v1/admin/connections", { environment, body: body() });
  return { params: { connection: connection.connection }, body: {} };
};

let named = 0;
const team: Arrange = async (app: TestApp, environment: Environment) => {
  const name = `team-${++named}`;
  const path = `/v1/admin/teams/${name}`;
  await app.call("PUT", path, { environment, body: { title: "Team", members: [] } });
  return { params: { team: name } };
};

export const arrange: Arrangements = {
  "admin.listTeams": nothing,
  "admin.readTeam": team,
  "admin.removeTeam": team,
  "admin.setTeam": async (app, environment) => ({
    ...(await team(app, environment)),
    body: { title: "Billing", members: [(await app.member("operator", environment)).memberId] },
  }),
  "admin.listKeys": nothing,
  "admin.issueKey": async () => ({
    params: {},
    body: { name: "walk", role: "viewer", for: { service_account: "walker" } },
  }),
  "admin.revokeKey": async (app, environment) => ({
    params: { key: (await app.member("viewer", environment)).keyId },
    body: {},
  }),
  "admin.whoami": nothing,
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
  "admin.listConnections": nothing,
  "admin.addConnection": async () => ({ params: {}, body: body() }),
  "admin.testConnection": added,
  "admin.removeConnection": added,
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "admin.inviteMember":
    "members belong to the organization; who has no role in the environment of the call is not invited to it",
  "admin.readMember": "members belong to the organization; the role is of the environment of the call",
  "admin.setMember": "members belong to the organization; the role is of the environment of the call",
};
