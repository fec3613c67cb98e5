import { examplesOf, learner, startTraining } from "../features/agents/training/training.fixture.ts";
import { deliverReply, wakeDelivery } from "../features/chat/channels/delivery-store.ts";
import { wakeMailbox } from "../features/chat/channels/jobs/read-mailbox.ts";
import { insertConversation, insertMessage, writing } from "../features/chat/chat.fixture.ts";
import { send, startConversation } from "../features/chat/turns/turns.fixture.ts";
import { newDataset, newRun } from "../features/evaluations/testing.ts";
import { removalJob } from "../features/knowledge/connectors/sync-store.ts";
import { reindexJob } from "../features/knowledge/ingest/rules.ts";
import { stopInstallsJob } from "../features/marketplace/recalls/rules.ts";
import { wakeConversation } from "../features/tasks/public.ts";
import { wakeMission } from "../features/workflows/public.ts";
import { advanceRunsJob } from "../features/workflows/runs/jobs/due-sweep.ts";
import { frozen, insertRun, started } from "../features/workflows/runs/runs.fixture.ts";
import { wake } from "../jobs/queue.ts";
import type { WriteContext } from "../kernel/context.ts";
import type { TestApp } from "../testing/app.ts";
import type { WorkerProcess } from "../testing/worker.ts";

/** Asks for work of one kind. Answers how to tell whether it has ended. `machines`: a worker of the test itself, for what has to be there before. */
export type Arrangement = (app: TestApp, machines: WorkerProcess) => Promise<() => Promise<boolean>>;

const found = async (app: TestApp, text: string, ...values: unknown[]): Promise<boolean> =>
  ((await app.pool.query(text, values)).rowCount ?? 0) > 0;

async function call(app: TestApp, method: string, path: string, body: object) {
  const answered = await app.call(method, path, { body });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
}

/** A job that is no row's: it has ended when it has left the queue. */
const alone =
  (task: string, payload: (app: TestApp) => Promise<object> | object = () => ({})): Arrangement =>
  async (app) => {
    await wake(app.pool, [{ task, payload: { ...app.scope, ...(await payload(app)) }, key: `alone ${task}` }]);
    return async () => !(await found(app, "select from graphile_worker.jobs where task_identifier = $1", task));
  };

const task: Arrangement = async (app) => {
  const body = { task: "qualify_lead", lead_id: "ld_1001", require_approval: false };
  const { task_id } = await call(app, "POST", "/v1/agents/sales/tasks", body);
  return () => found(app, "select from tasks where id = $1 and status = 'completed'", task_id);
};

const turn: Arrangement = async (app) => {
  const conversation = await startConversation(app);
  const { task_id } = (await send(app, conversation, "hello")).body;
  await app.pool.query("update tasks set status = 'completed', output = '{\"text\":\"Hi.\"}' where id = $1", [task_id]);
  await wake(app.pool, [wakeConversation(app.scope, conversation, task_id)]);
  return () => found(app, "select from chat_turns where conversation = $1 and state = 'completed'", conversation);
};

const mailbox: Arrangement = async (app) => {
  const config = { address: "help@example.org", imap: { host: "mail.invalid" }, smtp: { host: "mail.invalid" } };
  const secret = { imap_password: "a-password" };
  await call(app, "PUT", "/v1/chat/channels/help", { kind: "email", agent: "sales", enabled: false, config, secret });
  await app.pool.query("update chat_channels set enabled = true, last_error = null where name = 'help'");
  await wake(app.pool, [wakeMailbox(app.scope, "help")]);
  return () => found(app, "select from chat_channels where name = 'help' and last_error is not null");
};

const delivery: Arrangement = async (app) => {
  const secret = { signing_secret: "shhhh-development-0123", bot_token: "xoxb-1234567890" };
  await call(app, "PUT", "/v1/chat/channels/team", {
    kind: "slack",
    agent: "sales",
    enabled: false,
    config: {},
    secret,
  });
  const conversation = { id: await insertConversation(app, { channel: "team" }), channel: "team" };
  const { id } = await insertMessage(app, conversation.id, "Which plan?");
  await deliverReply({ ...writing(app), enqueue: () => undefined } as unknown as WriteContext, conversation, { id });
  await wake(app.pool, [wakeDelivery(app.scope, id)]);
  return () => found(app, "select from chat_deliveries where message = $1 and state = 'failed'", id);
};

const ingest: Arrangement = async (app) => {
  await call(app, "POST", "/v1/knowledge/bases", { name: "read" });
  const document = { text: "# Tides\n\nHigh at noon.", media_type: "text/markdown", title: "Harbour" };
  const { document_id } = await call(app, "POST", "/v1/knowledge/bases/read/documents", document);
  return () => found(app, "select from documents where id = $1 and state = 'indexed'", document_id);
};

const reindex: Arrangement = async (app) => {
  const { base_id } = await call(app, "POST", "/v1/knowledge/bases", { name: "cut" });
  await call(app, "POST", "/v1/knowledge/bases/cut/documents/bulk", {
    documents: [{ external_id: "a", text: "Tides." }],
  });
  await app.pool.query(
    "update knowledge_bases set next_generation = 2, next_language = 'simple', settings = '{\"chunk_length\": 32}' where id = $1",
    [base_id],
  );
  await wake(app.pool, [reindexJob(app.scope, base_id)]);
  const done = "select from knowledge_bases where id = $1 and next_generation is null and reindex_lease is null";
  return () => found(app, done, base_id);
};

const embedding: Arrangement = async (app) => {
  const connection = {
    name: "nowhere",
    kind: "openai-compatible",
    base_url: "http://127.0.0.1:1/v1",
    secret: "sk-loopback-0123456789",
  };
  await call(app, "POST", "/v1/admin/connections", connection);
  const settings = { connection: "nowhere", model: "concepts-1", dimensions: 32 };
  const { base_id } = await call(app, "POST", "/v1/knowledge/bases", { name: "meant", embedding: settings });
  await call(app, "POST", "/v1/knowledge/bases/meant/documents/bulk", {
    documents: [{ external_id: "a", text: "Tides." }],
  });
  await wake(app.pool, [
    { task: "knowledge_embedding", payload: { ...app.scope, base: base_id }, key: `embed ${base_id}` },
  ]);
  return () => found(app, "select from base_embeddings where base = $1 and failures > 0", base_id);
};

async function attached(app: TestApp, name: string): Promise<{ base: string; connector: string }> {
  await call(app, "POST", "/v1/knowledge/bases", { name });
  const connector = { name: "site", kind: "website", source: { url: "http://127.0.0.1:1/" } };
  const { connector_id } = await call(app, "POST", `/v1/knowledge/bases/${name}/connectors`, connector);
  return { base: name, connector: connector_id };
}

const sync: Arrangement = async (app) => {
  const { base } = await attached(app, "brought");
  const { syncs } = await call(app, "POST", `/v1/knowledge/bases/${base}/sync`, {});
  return () =>
    found(app, "select from knowledge_syncs where id = $1 and state in ('failed', 'completed')", syncs[0].sync_id);
};

const removal: Arrangement = async (app) => {
  const { connector } = await attached(app, "detached");
  await app.pool.query("update knowledge_connectors set state = 'removing', updated_at = now() where id = $1", [
    connector,
  ]);
  await wake(app.pool, [removalJob(app.scope, connector)]);
  return async () => !(await found(app, "select from knowledge_connectors where id = $1", connector));
};

const evaluation: Arrangement = async (app) => {
  const items = [{ item: "one", input: { lead_id: "ld_1001" }, expected: { team: "enterprise" } }];
  const { run_id } = await newRun(app, await newDataset(app, items));
  return () => found(app, "select from evaluation_runs where id = $1 and state in ('completed', 'failed')", run_id);
};

const shadow: Arrangement = async (app, machines) => {
  const skill = {
    name: "say",
    instructions: "Say yes.",
    input: { type: "object", properties: { text: { type: "string" } } },
  };
  const agent = { agent: "shadowed", description: "Says.", model: { provider: "builtin" }, skills: [skill] };
  const { headers } = await app.call("POST", "/v1/agents", { body: agent });
  await call(app, "POST", "/v1/agents/shadowed/versions", {});
  const changed = { body: { ...agent, description: "Says more." }, headers: { "if-match": headers.get("etag") ?? "" } };
  await app.call("PATCH", "/v1/agents/shadowed", changed);
  await call(app, "POST", "/v1/agents/shadowed/versions", {});
  await call(app, "POST", "/v1/agents/shadowed/deployments", { version: 1 });
  await call(app, "POST", "/v1/agents/shadowed/deployments", { version: 2, mode: "shadow" });
  await machines.refresh();
  const { task_id } = await call(app, "POST", "/v1/agents/shadowed/tasks", { task: "say", text: "Is it?" });
  const live = await machines.worker({ around: () => ({}) });
  const ended = "select from tasks where id = $1 and status in ('completed', 'failed')";
  while (!(await found(app, ended, task_id))) await new Promise((resolve) => setTimeout(resolve, 50));
  await live.stop(20_000);
  return () => found(app, "select from shadow_runs where task_id = $1 and state in ('compared', 'skipped')", task_id);
};

const training: Arrangement = async (app) => {
  await learner(app, "reader", { looks: false });
  const { job_id } = await startTraining(app, "reader", { examples: examplesOf(60) });
  return () => found(app, "select from training_jobs where id = $1 and state in ('completed', 'failed')", job_id);
};

const auditExport: Arrangement = async (app) => {
  const { export_id } = await call(app, "POST", "/v1/audit/exports", { format: "jsonl" });
  return () => found(app, "select from audit_exports where id = $1 and state = 'completed'", export_id);
};

/** A receiver on this machine where nothing listens: the attempt that fails is noted. */
const auditSink: Arrangement = async (app) => {
  const { sink_id } = await call(app, "POST", "/v1/audit/sinks", {
    name: "Nobody",
    kind: "splunk_hec",
    target: { url: "http://127.0.0.1:9" },
    credentials: { token: "a-token" },
    from_leaf: 0,
  });
  return () =>
    found(app, "select from audit_sinks where id = $1 and last_error ->> 'code' = 'connect_failed'", sink_id);
};

const ended = (app: TestApp, run: string) => () =>
  found(app, "select from workflow_runs where id = $1 and finished_at is not null", run);

const advance: Arrangement = async (app) =>
  ended(app, await started(app, [{ id: "note", set: { said: "'yes'" } }], {}));

const advanceDue: Arrangement = async (app) => {
  const run = await insertRun(app, await frozen(app, [{ id: "note", set: { said: "'yes'" } }]), {});
  await wake(app.pool, [{ task: advanceRunsJob, payload: { ...app.scope, runs: [{ run, at: Date.now() - 1 }] } }]);
  return ended(app, run);
};

const mission: Arrangement = async (app) => {
  const run = await insertRun(app, await frozen(app, [{ id: "note", set: { said: "'yes'" } }]), {});
  const id = run.replace("wfr_", "msn_");
  await app.pool.query(
    `insert into missions (organization, environment, id, goal, measure, agents, budget_usd, budget_tasks, autonomy, status, created_by, actor, deciders, created_at, updated_at)
     select organization, environment, $1, 'Say yes.', '{"skill":"say","aggregate":"count","target":1}', '{sales}', 1, 1, 'within_limits', 'running', principal, actor::jsonb, '[]', now(), now()
     from workflow_runs where id = $2`,
    [id, run],
  );
  await app.pool.query(
    "update workflow_runs set mission = $1, status = 'completed', finished_at = now() where id = $2",
    [id, run],
  );
  await wake(app.pool, [wakeMission(app.scope, id, run)]);
  return () => found(app, "select from missions where id = $1 and status = 'finished'", id);
};

/** A recall of a listing that is installed nowhere. */
const recall: Arrangement = async (app) => {
  const { organization } = app.scope;
  const id = "rcl_00000000000000000000000001";
  await app.pool.query(
    `with publisher as (insert into marketplace_publishers (organization, id, name, publisher, key_id, created_at)
         values ($1, 'pub_1', 'Example', '{}', 'key', now()) returning id),
       listing as (insert into marketplace_listings (organization, id, publisher_id, name, kind, origin, visibility, state, shown, created_by, created_at, updated_at)
         select $1, 'lst_1', id, 'example', 'agent', 'imported', 'private', 'recalled', '1.0.0', 'mbr_0', now(), now() from publisher returning id)
     insert into marketplace_recalls (organization, id, kind, listing_id, versions, reason, by, at)
     select $1, $2, 'recall', id, '{}', 'A test.', 'mbr_0', now() from listing`,
    [organization, id],
  );
  await wake(app.pool, [stopInstallsJob(organization, id)]);
  return () => found(app, "select from marketplace_recalls where id = $1 and done_at is not null", id);
};

const conversation = async (app: TestApp) => ({ conversation: await startConversation(app), summary: null });

/** How work of every kind is asked for, by the job that carries it out. */
export const arrangements: Readonly<Record<string, Arrangement>> = {
  run_shadow: shadow, // first: it lets a worker run tasks
  run_task: task,
  settle_chat_turn: turn,
  read_chat_mailbox: mailbox,
  deliver_chat_reply: delivery,
  summarise_handoff: alone("summarise_handoff", conversation),
  compact_conversation: alone("compact_conversation", conversation),
  send_invitation: alone("send_invitation", () => ({ member: "mbr_0" })),
  mail_alert: alone("mail_alert", () => ({ member: "mbr_0", subject: "Alert", text: "It fired." })),
  mail_report: alone("mail_report", () => ({ member: "mbr_0", report: "rpt_0", issue: "iss_0" })),
  "webhooks.due": alone("webhooks.due"),
  "knowledge.ingest": ingest,
  "knowledge.reindex": reindex,
  knowledge_embedding: embedding,
  knowledge_sync: sync,
  knowledge_connector_removal: removal,
  evaluation_run: evaluation,
  agent_training: training,
  audit_export: auditExport,
  audit_sink: auditSink,
  advance_workflow_run: advance,
  advance_workflow_runs: advanceDue,
  settle_mission: mission,
  marketplace_stop_installs: recall,
};
