import type { Step, Trigger } from "@aos/workflow";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { triggerSweep } from "../../src/features/workflows/triggers/jobs/sweep.ts";
import { sequenced } from "../../src/features/workflows/triggers/triggers.fixture.ts";
import { type Cast, must, type Person } from "../../src/testing/actors.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";
import type { useWorkerProcess } from "../../src/testing/worker.ts";

// Workflows of one step that pays, started by a trigger, for the tests of decision 0064.

type WorkerProcess = ReturnType<typeof useWorkerProcess>;
type Caller = Pick<Person, "secret">;

let made = 0;

/** A hook that nobody has a secret of, with the secret that is sent with. */
export async function hookOf(app: TestApp, by: Caller): Promise<{ readonly name: string; readonly secret: string }> {
  const name = `hook_${++made}`;
  const { secret } = await must(app, 201, by, "POST", "/v1/hooks", { name });
  return { name, secret };
}

/** Publishes a workflow that pays the amount of its input, or of an event, by an agent. Returns its name. */
export async function payingWorkflow(
  app: TestApp,
  by: Caller,
  { agent, triggers, amount = "input.amount" }: { agent: string; triggers: Trigger[]; amount?: string },
): Promise<string> {
  const workflow = `pays_${++made}`;
  const step: Step = { id: "pay", tool: { agent, name: "pay", arguments: { amount } } };
  await must(app, 201, by, "POST", "/v1/workflows", { workflow, steps: [step], triggers });
  await must(app, 200, by, "POST", `/v1/workflows/${workflow}/publish`, {});
  return workflow;
}

/** Publishes a workflow again, with another description and otherwise as it was, and says by If-Match which draft is meant. */
export async function publishAgain(
  app: TestApp,
  { secret: key }: Caller,
  workflow: string,
  changed: { readonly triggers?: readonly Trigger[] } = {},
): Promise<void> {
  const read = await app.call("GET", `/v1/workflows/${workflow}`, { key });
  const body = { ...read.body.draft, ...changed, description: `Pays, ${++made}.` };
  const headers = { "if-match": read.headers.get("etag") as string };
  const put = await app.call("PUT", `/v1/workflows/${workflow}`, { key, body, headers });
  expect(put.status, put.text).toBe(200);
  const named = { "if-match": put.headers.get("etag") as string };
  await must(app, 200, { secret: key }, "POST", `/v1/workflows/${workflow}/publish`, {}, named);
}

/** Has nobody decided a workflow's versions so far, nor looked at its triggers. */
export async function forgetWorkflow(app: TestApp, workflow: string): Promise<void> {
  await app.pool.query("update workflow_versions set deciders = null where workflow = $1", [workflow]);
  await app.pool.query("update workflow_releases set deciders = null where workflow = $1", [workflow]);
  await app.pool.query("update workflows set draft_deciders = null where name = $1", [workflow]);
}

/** A key of a role for a service account, which a person issues. */
export async function botKey(app: TestApp, by: Caller, role = "builder") {
  const account = `bot-${++made}`;
  const issued = await must(app, 201, by, "POST", "/v1/admin/keys", {
    name: account,
    role,
    for: { service_account: account },
  });
  return { account, secret: issued.key as string, keyId: issued.key_id as string };
}

/** Calls a hook with one of its secrets. */
export async function send(app: TestApp, hook: { name: string; secret: string }, body: object): Promise<void> {
  const [text, id, at] = [JSON.stringify(body), `msg_${++made}`, new Date()];
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(hook.secret).sign(id, at, text),
  };
  const answered = await app.call("POST", `/v1/hooks/${hook.name}`, { key: null, body: text, headers });
  expect(answered.status, answered.text).toBe(202);
}

/** Has every trigger hear what there is. */
export async function hear(app: TestApp, process: WorkerProcess): Promise<void> {
  await sequenced(app);
  await process.refresh();
  const sweeper = process.sweeperWith([triggerSweep]);
  await sweeper.sweep();
}

/** The task of a workflow's run, another one than that before, once it waits for people. */
export const asked = (app: TestApp, workflow: string, before: string | null = null): Promise<string> =>
  eventually(async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      `select t.id from tasks t join workflow_runs r on r.id = t.run_id
       where r.workflow = $1 and t.status = 'awaiting_approval' and t.id is distinct from $2`,
      [workflow, before],
    );
    if (!rows[0]) throw new Error(`no step of ${workflow} waits for people`);
    return rows[0].id;
  });

/** The only trigger of a workflow as the list shows it. */
export async function triggerOf(app: TestApp, { alice }: Cast, workflow: string) {
  const { data } = await must(app, 200, alice, "GET", `/v1/workflows/${workflow}/triggers`);
  return data[0];
}

export async function runsOf(app: TestApp, workflow: string): Promise<number> {
  const { rows } = await app.pool.query("select id from workflow_runs where workflow = $1", [workflow]);
  return rows.length;
}
