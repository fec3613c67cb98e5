import { openAsBlob } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { conversations } from "./seed-chat.ts";
import { workflows } from "./seed-workflows.ts";
import type { Service } from "./service.ts";

/** Ids of what the rooms show. */
export interface Furnished {
  readonly approval: string;
  readonly task: string;
  readonly policy: string;
  readonly webhook: string;
  readonly run: string;
  readonly mission: string;
  readonly conversation: string;
}

interface Task {
  readonly task_id: string;
  readonly status: string;
}

/** What furnishing needs of a service: its interface, and a receiver of webhooks. */
type Furnishable = Pick<Service, "call" | "receiver">;

/** Gives the service something to show, by its interface alone: people, rules, work that went well, went wrong and waits. */
export async function furnish(service: Furnishable): Promise<Furnished> {
  const { call } = service;
  const webhook = await webhooks(service);
  await knowledge(service);
  const approver = await keys(service);
  const policy = await policies(service);
  const task = await finishedWork(service);
  await trainedCandidate(service);
  await canary(service);
  const approval = await waitingWork(service, approver);
  const { run, mission } = await workflows(call);
  const conversation = await conversations(call);
  await standing(call);
  await call("POST", `/v1/webhooks/${webhook}/test`, { event: "ping" });
  return { approval, task, policy, webhook, run, mission, conversation };
}

/** Work that recurs, and something that is remembered. */
async function standing(call: Furnishable["call"]): Promise<void> {
  const work = { task: "qualify_lead", input: { lead_id: "ld_1001" }, time_zone: "Europe/Vienna" };
  const budget = { per_run_usd: 0.1, per_month_usd: 2 };
  const daily = { ...work, schedule: "0 7 * * MON-FRI", note: "The lead of the day.", budget };
  await call("POST", "/v1/agents/sales/schedules", daily);
  const weekly = { ...work, schedule: "30 16 * * FRI", overlap: "queue" };
  const { schedule_id } = await call<{ schedule_id: string }>("POST", "/v1/agents/sales/schedules", weekly);
  await call("PATCH", `/v1/agents/sales/schedules/${schedule_id}`, { paused: true, reason: "Until the fair is over." });
}

const samples = new URL("../../docs/guide/samples/", import.meta.url);

/** A base with documents, a source, a question that nothing answers, and one that something answers since. */
async function knowledge({ call }: Furnishable): Promise<void> {
  const base = "/v1/knowledge/bases/handbook";
  const ask = (query: string) => call("POST", "/v1/knowledge/search", { query, bases: ["handbook"] });
  await call("POST", "/v1/knowledge/bases", {
    name: "handbook",
    description: "How the shop serves its customers.",
    review_days: 180,
  });
  await ask("how long are batteries covered");
  for (const name of ["returns.pdf", "shipping.pdf", "warranty.pdf"]) {
    const form = new FormData();
    form.append("external_id", name);
    form.append("file", await openAsBlob(new URL(name, samples), { type: "application/pdf" }), name);
    const { document_id } = await call<{ document_id: string }>("POST", `${base}/documents`, form);
    await indexed(call, `${base}/documents/${document_id}`);
  }
  await call("POST", `${base}/connectors`, {
    name: "docs",
    kind: "website",
    source: { url: "https://docs.example.com/" },
    schedule: { cron: "17 3 * * *", time_zone: "Europe/Zurich" },
  });
  for (const query of ["do you rent out bicycles", "do you rent out bicycles", "how long are batteries covered"])
    await ask(query);
}

async function indexed(call: Furnishable["call"], document: string): Promise<void> {
  for (;;) {
    const { state, error } = await call<{ state: string; error: { detail: string } | null }>("GET", document);
    if (state === "indexed") return;
    if (state === "failed") throw new Error(`${document}: ${error?.detail}`);
    await setTimeout(100);
  }
}

async function webhooks({ call, receiver }: Furnishable): Promise<string> {
  const made = (url: string, events: string[], description: string) =>
    call<{ webhook_id: string }>("POST", "/v1/webhooks", { url, events, description });
  await made(`${receiver}/bad`, ["task.failed", "task.blocked"], "The pager of the operations team");
  const { webhook_id } = await made(
    `${receiver}/good`,
    ["task.approval_required", "task.completed"],
    "The sales team's inbox",
  );
  return webhook_id;
}

/** Answers the secret of a second person's key. */
async function keys({ call }: Furnishable): Promise<string> {
  await call("POST", "/v1/admin/keys", {
    name: "Lead intake",
    role: "operator",
    scopes: ["tasks:read", "tasks:write"],
    agents: ["sales"],
    for: { service_account: "lead-intake" },
  });
  await call("POST", "/v1/admin/keys", {
    name: "Nightly reports",
    role: "viewer",
    for: { service_account: "reports" },
  });
  const old = await call<{ key_id: string }>("POST", "/v1/admin/keys", {
    name: "Trial",
    role: "viewer",
    for: { service_account: "reports" },
  });
  await call("DELETE", `/v1/admin/keys/${old.key_id}`);
  const { key } = await call<{ key: string }>("POST", "/v1/admin/keys", {
    name: "Lead intake, second",
    role: "operator",
    for: { service_account: "lead-intake" },
  });
  return key;
}

async function policies({ call }: Furnishable): Promise<string> {
  const make = (policy: object) =>
    call<{ policy_id: string }>("POST", "/v1/governance/policies", { params: {}, controls: [], ...policy });
  await make({
    name: "No account numbers in lead notes",
    scope: { actions: ["task.dispatch"], agents: ["sales"] },
    when: '"iban" in data.kinds',
    effect: "deny",
    reason_code: "account_number",
    message: "The input holds a bank account number; leave it out.",
    controls: ["gdpr:art5"],
    state: "active",
  });
  await make({
    name: "Card numbers are noticed",
    scope: { actions: ["task.dispatch"] },
    when: '"payment_card" in data.kinds',
    effect: "notify",
    reason_code: "payment_card",
    message: "The input holds a card number.",
    state: "shadow",
  });
  const { policy_id } = await make({
    name: "A lead that changes hands",
    scope: { actions: ["task.dispatch"], agents: ["sales"] },
    when: 'has(skill.name) && skill.name == "route_lead"',
    effect: "require_approval",
    params: { approvers: 2 },
    reason_code: "routing",
    message: "A lead changes hands: two people look at it.",
    state: "active",
  });
  return policy_id;
}

const lead = (number: number): string => `ld_${1000 + number}`;

/** Work that has ended, well and otherwise. Answers a completed task that people have judged. */
async function finishedWork({ call }: Furnishable): Promise<string> {
  const dispatch = (task: string, lead_id: string, more: object = {}) =>
    call<Task>("POST", "/v1/agents/sales/tasks", { task, lead_id, ...more });
  await call("POST", "/v1/evaluations/monitors", { agent: "sales", share: 0.5 });
  const done: string[] = [];
  for (let number = 1; number <= 14; number += 1)
    done.push(
      (await dispatch(number % 3 === 0 ? "summarize_lead" : "qualify_lead", lead(number), { labels: ["autumn"] }))
        .task_id,
    );
  done.push((await dispatch("qualify_lead", "ld_9999")).task_id);
  for (const id of done) await ended(call, id);
  for (const id of done.slice(0, 8))
    await call("POST", `/v1/tasks/${id}/feedback`, { accepted: true, comment: "As I would have said." }).catch(
      () => undefined,
    );
  const stopped = await dispatch("qualify_lead", lead(40), { require_approval: true });
  await call("POST", `/v1/tasks/${stopped.task_id}/cancel`, { reason: "Asked for twice." }).catch(() => undefined);
  return done[0] as string;
}

/** A version that training made, beside the one at work. */
async function trainedCandidate({ call }: Furnishable): Promise<void> {
  const examples = Array.from({ length: 60 }, (_, n) => ({
    input: { lead_id: lead(n + 1) },
    output: { qualified: n % 3 === 0 },
  }));
  const path = "/v1/agents/sales/training";
  const { job_id } = await call<{ job_id: string }>("POST", path, {
    skill: "qualify_lead",
    examples,
    note: "From the first sixty leads.",
  });
  while (["queued", "running"].includes((await call<{ state: string }>("GET", `${path}/${job_id}`)).state))
    await setTimeout(100);
}

/** The trained version beside the live one, with judged tasks on both sides, and an alert. */
async function canary({ call }: Furnishable): Promise<void> {
  const rest = { mode: "canary", share: 40, note: "Trained on the first sixty leads." };
  await call("POST", "/v1/agents/sales/deployments", { version: 2, ...rest });
  const tasks: string[] = [];
  for (let number = 101; number <= 140; number += 1) {
    const labels = [number % 2 === 0 ? "customer:acme" : "customer:globex"];
    const body = { task: "qualify_lead", lead_id: lead(number), labels };
    tasks.push((await call<Task>("POST", "/v1/agents/sales/tasks", body)).task_id);
  }
  for (const [at, task] of tasks.entries()) {
    await ended(call, task);
    await call("POST", `/v1/tasks/${task}/feedback`, { accepted: at % 7 !== 0 }).catch(() => undefined);
  }
  await call("POST", "/v1/analytics/alerts", {
    name: "A task failed",
    measure: "failed",
    window_minutes: 1440,
    condition: { kind: "above", threshold: 0 },
  });
}

/** Work that waits for people. Answers the task of an approval that one of two people has to give still. */
async function waitingWork({ call }: Furnishable, key: string): Promise<string> {
  const ask = (task: string, number: number) =>
    call<Task>("POST", "/v1/agents/sales/tasks", { task, lead_id: lead(number), require_approval: true }, key);
  const rejected = await ask("qualify_lead", 50);
  await decide(call, rejected.task_id, "reject", { reason: "This company closed last year." });
  const approved = await ask("summarize_lead", 51);
  await decide(call, approved.task_id, "approve", {});
  const back = await ask("route_lead", 52);
  await decide(call, back.task_id, "request-changes", { note: "The other lead of this company, please." });
  for (const [task, number] of [
    ["summarize_lead", 61],
    ["qualify_lead", 62],
    ["qualify_lead", 63],
  ] as const)
    await ask(task, number);
  return (await ask("route_lead", 64)).task_id;
}

async function decide(call: Furnishable["call"], task: string, word: string, body: object): Promise<void> {
  const { digest } = await call<{ digest: string }>("GET", `/v1/approvals/${task}`);
  await call("POST", `/v1/approvals/${task}/${word}`, { digest, ...body });
}

const final = new Set([
  "completed",
  "failed",
  "rejected",
  "expired",
  "blocked",
  "cancelled",
  "awaiting_approval",
  "input_required",
]);

async function ended(call: Furnishable["call"], task: string): Promise<void> {
  for (;;) {
    if (final.has((await call<Task>("GET", `/v1/tasks/${task}`)).status)) return;
    await setTimeout(100);
  }
}
