import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Kept } from "../../server/test/upgrade/kept.ts";
import { ReleaseClient, until } from "./client.ts";
import { flows } from "./flows.ts";

const lead = (n: number): string => `ld_10${String(n).padStart(2, "0")}`;
const dispatch = "/v1/agents/sales/tasks";
/** Beyond every test of this dump. */
const never = "2126-01-01T00:00:00.000Z";

/** Another caller than the admin of the first start, and another key of that admin. */
async function makeCallers(client: ReleaseClient): Promise<void> {
  const shop = { name: "Shop", role: "operator", for: { service_account: "shop" } };
  const { key } = await client.once("admin", "/v1/admin/keys", shop, { secret: "key" });
  client.keys.shop = key as string;
  const second = { name: "Second", role: "admin" };
  client.keys.second = (await client.call("admin", "POST", "/v1/admin/keys", second)).key as string;
}

/** An agent whose tool writes to an address where nobody listens. */
async function makeAgent(client: ReleaseClient): Promise<void> {
  const note = { type: "object", required: ["note"], properties: { note: { type: "string", maxLength: 200 } } };
  await client.once("admin", "/v1/agents", {
    agent: "noting",
    description: "Notes.",
    model: { provider: "builtin" },
    tools: [
      {
        name: "send_note",
        kind: "http",
        effect: "write",
        impact: { reversible: true },
        arguments: note,
        request: { method: "POST", url: "http://127.0.0.1:9/notes", body: { note: "{note}" } },
      },
    ],
    skills: [{ name: "note", description: "Notes.", input: note, output: { type: "object" }, tools: ["send_note"] }],
  });
  await client.once("admin", "/v1/agents/noting/versions", { note: "The first." });
  await client.once("admin", "/v1/agents/noting/deployments", { version: 1, note: "Live." });
}

/** Tasks in every state that they can rest in. */
async function makeTasks(client: ReleaseClient, states: Record<string, string>): Promise<string> {
  const made = async (body: object, caller = "shop"): Promise<string> =>
    (await client.once(caller, dispatch, body)).task_id as string;
  const waiting = (n: number) => made({ task: "qualify_lead", lead_id: lead(n), require_approval: true });
  for (let n = 1; n <= 8; n++)
    states[await made({ task: "summarize_lead", input: { lead_id: lead(n) } })] = "completed";
  states[await made({ task: "route_lead", lead_id: lead(3), labels: ["urgent"], priority: 5 }, "admin")] = "completed";
  const later = { task: "summarize_lead", lead_id: lead(4), options: { not_before: never } };
  states[await made(later)] = "queued";
  const cancelled = await made(later);
  await client.once("shop", `/v1/tasks/${cancelled}/cancel`, { reason: "asked for by mistake" });
  states[cancelled] = "cancelled";
  const [approved, rejected, undecided] = [await waiting(5), await waiting(6), await waiting(7)];
  for (const [task, verb, state] of [
    [approved, "approve", "completed"],
    [rejected, "reject", "rejected"],
  ] as const) {
    const { digest } = await client.call("admin", "GET", `/v1/approvals/${task}`);
    await client.once("admin", `/v1/approvals/${task}/${verb}`, { digest, reason: "A known lead." });
    states[task] = state;
  }
  states[undecided] = "awaiting_approval";
  const noted = (await client.once("shop", "/v1/agents/noting/tasks", { task: "note", note: "Call back." })).task_id;
  states[noted as string] = "";
  const items = [1, 2, 3].map((n) => ({ agent: "sales", task: "summarize_lead", lead_id: lead(n) }));
  const batch = await client.once("shop", "/v1/tasks/batch", { items });
  for (const { task_id } of tasksIn(batch)) states[task_id] = "completed";
  await client.once("shop", `/v1/tasks/${undecided}`, { priority: 3, labels: ["kept"] }, { method: "PATCH" });
  await client.refuse("shop", dispatch, { task: "qualify_lead" });
  await client.refuse("shop", dispatch, { task: "no_such_skill", lead_id: lead(1) });
  return undecided;
}

/** Members with a task's id, wherever they stand in an answer. */
function tasksIn(value: unknown): { task_id: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "task_id" in value && typeof value.task_id === "string" ? [{ task_id: value.task_id }] : [];
  return [...own, ...Object.values(value).flatMap(tasksIn)];
}

async function makeRest(client: ReleaseClient): Promise<void> {
  const hook = { url: "http://127.0.0.1:9/hook", events: ["task.completed"], description: "Nobody listens." };
  await client.once("admin", "/v1/webhooks", hook, { secret: "secret" });
  await client.once("admin", "/v1/knowledge/bases", { name: "notes", description: "What was noted." });
  await client.once("admin", "/v1/knowledge/bases/notes/documents", {
    external_id: "note_1",
    fields: { company: "Amber Looms", note: "Prefers to be called in the morning." },
  });
  await client.once("admin", "/v1/governance/policies", {
    name: "Leads are tagged",
    scope: { actions: ["task.dispatch"], agents: ["sales"] },
    when: "true",
    effect: "tag",
    params: { tags: ["lead"] },
    reason_code: "lead",
    message: "A lead.",
    state: "active",
  });
  await client.call("admin", "PUT", "/v1/governance/budgets/environment", {
    limits: [{ unit: "tasks", period: "day", hard: 5000 }],
  });
}

/** Waits until every task and the first start's evaluation have come to rest; notes a task's state where the caller did not know it. */
async function rest(client: ReleaseClient, states: Record<string, string>): Promise<void> {
  for (const [task, state] of Object.entries(states)) {
    let now = "";
    const rested = async (): Promise<boolean> => {
      now = (await client.call("admin", "GET", `/v1/tasks/${task}`)).status;
      return state === "" ? !["queued", "running"].includes(now) : now === state;
    };
    await until(`${task} is ${state}`, rested);
    states[task] = now;
  }
  const evaluated = async (): Promise<boolean> =>
    !/"(queued|running)"/.test((await client.answer("admin", "GET", "/v1/evaluations/runs")).text);
  await until("the sample's evaluation has ended", evaluated);
}

async function proofsOf(client: ReleaseClient): Promise<Record<string, string>> {
  const { data } = await client.call("admin", "GET", "/v1/audit/events?limit=100");
  const proofs: Record<string, string> = {};
  for (const { audit_ref } of (data as { audit_ref: string }[]).filter((_, n) => n % 10 === 5)) {
    const address = `/v1/audit/events/${audit_ref}/proof`;
    await until("a record has its proof", async () => (await client.answer("admin", "GET", address)).status === 200);
    proofs[audit_ref] = (await client.answer("admin", "GET", address)).text;
  }
  return proofs;
}

/** Uses a release as its clients would, and returns what they know afterwards. `paths`: the addresses that it has. */
export async function live(url: string, dataDir: string, paths: ReadonlySet<string>): Promise<Omit<Kept, "stoppedAt">> {
  const client = new ReleaseClient(url, (await readFile(path.join(dataDir, "admin.key"), "utf8")).trim());
  const tasks: Record<string, string> = {};
  await makeCallers(client);
  await makeAgent(client);
  const undecided = await makeTasks(client, tasks);
  await makeRest(client);
  const flow = await flows(client, paths);
  await rest(client, tasks);
  const proofs = await proofsOf(client);
  return {
    keys: client.keys,
    carriedOut: client.carriedOut,
    refused: client.refused,
    tasks,
    undecided,
    ...flow,
    proofs,
    checkpoint: (await client.answer("admin", "GET", "/v1/audit/checkpoint")).text,
    logKeys: await readFile(path.join(dataDir, "audit.vkey"), "utf8"),
  };
}
