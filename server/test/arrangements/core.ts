import { type Arrangements, auditRecord, ballot, nothing, sequencedRecord, waitingTask } from "./arranged.ts";

// The governed call itself: agents and their tasks, approvals, the audit log, keys.

export const arrange: Arrangements = {
  "agents.listAgents": nothing,
  "agents.readAgent": async () => ({ params: { agent: "sales" } }),
  "agents.dispatchTask": async () => ({
    params: { agent: "sales" },
    body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
  }),
  "tasks.listTasks": nothing,
  "tasks.readTask": async (app, environment) => ({ params: { task: await waitingTask(app, environment) } }),
  "tasks.cancelTask": async (app, environment) => ({
    params: { task: await waitingTask(app, environment) },
    body: { reason: "asked for by mistake" },
  }),
  "approvals.listApprovals": nothing,
  "approvals.readApproval": async (app, environment) => ({ params: { approval: await waitingTask(app, environment) } }),
  "approvals.approve": ballot({}),
  "approvals.reject": ballot({ reason: "not this lead" }),
  "audit.listEvents": nothing,
  "audit.readEvent": auditRecord,
  "audit.readProof": sequencedRecord,
  "audit.readCheckpoint": nothing,
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
};

export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.readAgent": "agents belong to the organization",
  "agents.dispatchTask": "the agent is seen; that it is not deployed here is 409 agent_not_deployed",
};
