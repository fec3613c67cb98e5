import { expect, vi } from "vitest";
import type { Environment } from "../src/kernel/principal.ts";
import type { TestApp } from "../src/testing/app.ts";

/** What a call of an operation needs: ids for its path, and a body that is accepted. */
export interface Arranged {
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes what one successful call of an operation by the admin key of an environment needs. Called anew for every call that may change something. */
export type Arrange = (app: TestApp, environment: Environment) => Promise<Arranged>;

const nothing: Arrange = async () => ({ params: {} });
const waitingTask = async (app: TestApp, environment: Environment): Promise<string> => (await app.dispatch({}, { environment })).task_id;
/** A ballot binds itself to what was shown. */
const ballot =
  (body: object): Arrange =>
  async (app, environment) => {
    const approval = await waitingTask(app, environment);
    const shown = await app.call("GET", `/v1/approvals/${approval}`, { environment });
    return { params: { approval }, body: { ...body, digest: shown.body.digest } };
  };
const record: Arrange = async (app, environment) => ({ params: { audit_ref: (await app.dispatch({}, { environment })).audit_ref } });
/** A record that the sequencer has reached, so that a busy machine makes no proof late. */
const sequencedRecord: Arrange = async (app, environment) => {
  const arranged = await record(app, environment);
  const find = () => app.pool.query("select from audit_leaves where record_id = $1", [arranged.params.audit_ref]);
  await vi.waitFor(async () => expect((await find()).rowCount).toBe(1), { timeout: 20_000, interval: 20 });
  return arranged;
};

/** One entry for each operation that has an address; `every-operation.test.ts` fails for one without. */
export const arrange: Readonly<Record<string, Arrange>> = {
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
  "audit.readEvent": record,
  "audit.readProof": sequencedRecord,
  "audit.readCheckpoint": nothing,
  "admin.listKeys": nothing,
  "admin.issueKey": async () => ({ params: {}, body: { name: "walk", role: "viewer", for: { service_account: "walker" } } }),
  "admin.revokeKey": async (app, environment) => ({ params: { key: (await app.member("viewer", environment)).keyId }, body: {} }),
  "admin.whoami": nothing,
};

/** Objects that the organization shares: who asks from another environment sees them. Why, for each; the list may only shrink. */
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.readAgent": "agents belong to the organization",
  "agents.dispatchTask": "the agent is seen; that it is not deployed here is 409 agent_not_deployed",
};
