import { Webhook } from "standardwebhooks";
import { NotAcknowledged } from "./torture-ledger.ts";
import { ends, lead, notesOfRun, pick, type Scenario, type World } from "./torture-world.ts";

// Work that workers carry out: tasks, approvals, workflows, missions, agents.

const dispatch: Scenario = async (world) => {
  const { caller } = world;
  const asks = world.uniform() < 0.4;
  const body = {
    task: pick(world, ["qualify_lead", "route_lead", "summarize_lead"]),
    input: { lead_id: lead(world) },
    require_approval: asks,
    labels: [world.mark()],
  };
  const { body: task } = await caller.change("POST", "/v1/agents/sales/tasks", body);
  const path = `/v1/tasks/${task.task_id}`;
  if (!asks) {
    caller.ledger.expect("agents", path, ends("completed"));
    world.known.tasks.push(task.task_id);
    return;
  }
  caller.ledger.expect("agents", path);
  await decide(world, task.task_id);
};

/** One of two people decides; a few questions stay open. */
async function decide(world: World, approval: string): Promise<void> {
  const who = pick(world, [world.caller, world.second]);
  const path = `/v1/approvals/${approval}`;
  const { body: shown } = await who.read(path);
  const choice = world.uniform();
  if (choice < 0.15) return;
  const { ledger } = world.caller;
  if (choice < 0.75) {
    await who.change("POST", `${path}/approve`, { digest: shown.digest });
    ledger.expect("approvals", `/v1/tasks/${approval}`, ends("completed"));
    return;
  }
  if (choice < 0.85) {
    await who.change("POST", `${path}/reject`, { digest: shown.digest, reason: "not this lead" });
    ledger.expect("approvals", `/v1/tasks/${approval}`, ends("rejected"));
    return;
  }
  const decision = { approval, digest: shown.digest, decision: "approve" };
  const { body } = await who.change("POST", "/v1/approvals/bulk", { items: [decision] });
  if (body.failed === 0) ledger.expect("approvals", `/v1/tasks/${approval}`, ends("completed"));
}

const batch: Scenario = async (world) => {
  const { caller } = world;
  const items = [1, 2, 3].map(() => ({
    agent: "sales",
    task: "qualify_lead",
    input: { lead_id: lead(world) },
    labels: [world.mark()],
  }));
  const { body } = await caller.change("POST", "/v1/tasks/batch", { items });
  for (const { task } of body.results ?? body.items ?? []) {
    if (task?.task_id) caller.ledger.expect("tasks", `/v1/tasks/${task.task_id}`, ends("completed"));
  }
};

const cancelAndRetry: Scenario = async (world) => {
  const { caller } = world;
  const body = {
    task: "qualify_lead",
    input: { lead_id: lead(world) },
    require_approval: true,
    labels: [world.mark()],
  };
  const { body: task } = await caller.change("POST", "/v1/agents/sales/tasks", body);
  const path = `/v1/tasks/${task.task_id}`;
  await caller.change("PATCH", path, { priority: 5 }, { headers: { "if-match": await etagOf(world, path) } });
  await caller.change("POST", `${path}/cancel`, { reason: "asked for by mistake" });
  caller.ledger.expect("tasks", path, ends("cancelled"));
  await caller.read(`${path}/events`);
  await caller.read(`${path}/steps`);
};

const etagOf = async ({ caller }: World, path: string): Promise<string> =>
  (await caller.read(path)).headers.get("etag") ?? "*";

const feedback: Scenario = async (world) => {
  const task = world.known.tasks.shift();
  if (task === undefined) return dispatch(world);
  const { body } = await world.caller.read(`/v1/tasks/${task}`);
  if (body.status !== "completed") return;
  await world.caller.change("POST", `/v1/tasks/${task}/feedback`, { accepted: true, comment: world.mark() });
  world.caller.ledger.expect("tasks", `/v1/tasks/${task}/feedback`, ({ body }) =>
    body.data?.length > 0 ? { verdict: "ok" } : { verdict: "lost", why: "no feedback" },
  );
};

const runNotes: Scenario = async (world) => {
  const { caller, outside } = world;
  const of = world.mark();
  const path = "/v1/workflows/torture-notes/runs";
  const { body: run } = await caller.change("POST", path, { input: { of }, labels: [of] });
  caller.ledger.expect("workflows", `${path}/${run.run_id}`, (answered) => {
    const judged = ends("completed")(answered);
    const missing = notesOfRun(of).filter((note) => !outside.effects.has(note));
    if (judged.verdict !== "ok" || missing.length === 0) return judged;
    return { verdict: "lost", why: `completed without ${missing}` };
  });
};

const runAsking: Scenario = async (world) => {
  const { caller } = world;
  const of = world.mark();
  const path = "/v1/workflows/torture-asking/runs";
  const { body: run } = await caller.change("POST", path, { input: { of }, labels: [of] });
  caller.ledger.expect("workflows", `${path}/${run.run_id}`);
  const { body: found } = await caller.read(`${path}/${run.run_id}`);
  const approval: string | undefined = found.asked?.approval_id ?? found.steps?.[0]?.approval_id;
  if (approval === undefined) return;
  const { body: shown } = await world.second.read(`/v1/approvals/${approval}`);
  await world.second.change("POST", `/v1/approvals/${approval}/approve`, { digest: shown.digest });
  caller.ledger.expect("approvals", `${path}/${run.run_id}`, ends("completed"));
};

const runWaiting: Scenario = async (world) => {
  const { caller } = world;
  const of = world.mark();
  const path = "/v1/workflows/torture-waiting/runs";
  const { body: run } = await caller.change("POST", path, { input: { of }, labels: [of] });
  caller.ledger.expect("workflows", `${path}/${run.run_id}`);
  await caller.change("POST", `${path}/${run.run_id}/signal`, { event: "torture.go", data: {} });
  caller.ledger.expect("workflows", `${path}/${run.run_id}`, ends("completed"));
};

/** Somebody outside calls a hook, again until it is answered. */
const callHook: Scenario = async (world) => {
  const { caller } = world;
  const id = world.mark();
  const text = JSON.stringify({ type: "order.paid", data: { order: id } });
  const at = new Date();
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(world.hookSecret).sign(id, at, text),
  };
  await caller.change("POST", "/v1/hooks/shop", text, { headers, keyless: true });
  const runs = `/v1/workflows/torture-paid/runs?limit=200`;
  caller.ledger.hooks.add(id);
  caller.ledger.expect("workflows", "/v1/workflows/torture-paid");
  if (world.uniform() < 0.05) await caller.read(runs);
};

const design: Scenario = async (world) => {
  const { caller } = world;
  const workflow = world.mark();
  const path = `/v1/workflows/${workflow}`;
  const steps = [{ id: "done", set: { ok: "true" } }];
  await caller.change("POST", "/v1/workflows", { workflow, steps });
  caller.ledger.expect("workflows", path);
  await caller.read(`${path}/validate`, {});
  await caller.change("POST", `${path}/publish`, { note: "The first." });
  caller.ledger.expect("workflows", `${path}/versions/1`);
  const definition = { schedule: "0 7 1 1 *" };
  const { body: trigger } = await caller.change("POST", `${path}/triggers`, { definition });
  if (world.uniform() < 0.5) await caller.change("DELETE", `${path}/triggers/${trigger.trigger_id}`);
  const { body: run } = await caller.change("POST", `${path}/runs`, { input: {}, labels: [world.mark()] });
  caller.ledger.expect("workflows", `${path}/runs/${run.run_id}`, ends("completed"));
};

const mission: Scenario = async (world) => {
  const { caller } = world;
  const goal = world.mark();
  const { body: made } = await caller.change("POST", "/v1/missions", {
    goal,
    agents: ["sales"],
    budget: { cost_usd: 5, tasks: 20 },
    autonomy: "within_limits",
    measure: { skill: "qualify_lead", where: "status == 'completed'", aggregate: "count", target: 2 },
    inputs: { leads: [lead(world), lead(world)] },
  });
  const path = `/v1/missions/${made.mission_id}`;
  caller.ledger.expect("missions", path);
  const input = { inputs: { each: "input.leads", input: { lead_id: "item" } } };
  const { body: plan } = await caller.change("POST", `${path}/plan`, {
    steps: [{ id: "qualify_lead", agent: "sales", skill: "qualify_lead", ...input }],
  });
  await caller.change("POST", `${path}/start`, { plan: plan.plan });
  caller.ledger.expect("missions", path, ends("finished", "completed"));
  caller.ledger.expect("missions", `${path}/tasks`, ({ body }) => {
    const open = (body.data ?? []).filter(({ status }: { status: string }) => status !== "completed");
    if (body.data?.length >= 2 && open.length === 0) return { verdict: "ok" };
    return { verdict: "lost", why: `${body.data?.length} tasks, not completed: ${JSON.stringify(open).slice(0, 300)}` };
  });
  await caller.read(`${path}/timeline`);
  await caller.read(`${path}/report`);
};

const draft: Scenario = async (world) => {
  const { caller } = world;
  const agent = world.mark();
  const path = `/v1/agents/${agent}`;
  const skill = {
    name: "sort",
    input: { type: "object", properties: { text: { type: "string" } } },
    output: { type: "object", properties: { kind: { enum: ["a", "b"] } } },
  };
  const body = { agent, description: "Sorts.", model: { provider: "builtin" }, skills: [skill] };
  const { headers } = await caller.change("POST", "/v1/agents", body);
  caller.ledger.expect("agents", path);
  const etag = { "if-match": headers.get("etag") ?? "*" };
  await caller.change("PATCH", path, { description: "Sorts texts." }, { headers: etag });
  await caller.change("POST", `${path}/versions`, { note: "The first." });
  caller.ledger.expect("agents", `${path}/versions/1`);
  await caller.change("POST", `${path}/deployments`, { version: 1 });
  if (world.uniform() < 0.5) return;
  const examples = Array.from({ length: 12 }, (_, n) => ({
    input: { text: `case ${n}` },
    output: { kind: n % 2 ? "a" : "b" },
  }));
  const { body: job } = await caller.change("POST", `${path}/training`, { skill: "sort", examples });
  caller.ledger.expect("agents", `${path}/training/${job.job_id}`, ends("completed"));
};

const scheduled: Scenario = async (world) => {
  const { caller } = world;
  const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 1 1 *", note: world.mark() };
  const { body: made } = await caller.change("POST", "/v1/agents/sales/schedules", body);
  const path = `/v1/agents/sales/schedules/${made.schedule_id}`;
  await caller.change("PATCH", path, { paused: true }).catch((error) => {
    if (!(error instanceof NotAcknowledged)) throw error;
  });
  await caller.change("DELETE", path); // an agent has 50 at most
};

/** With their weights. */
export const work: readonly (readonly [Scenario, number])[] = [
  [dispatch, 10],
  [batch, 2],
  [cancelAndRetry, 2],
  [feedback, 3],
  [runNotes, 5],
  [runAsking, 2],
  [runWaiting, 2],
  [callHook, 3],
  [design, 2],
  [mission, 3],
  [draft, 2],
  [scheduled, 1],
];
