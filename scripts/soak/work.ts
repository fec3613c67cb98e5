import { setTimeout as delay } from "node:timers/promises";
import type { Call } from "../journeys/client.ts";
import { dataset, lead, scorer } from "./furnish.ts";

/** One kind of work. */
export interface Work {
  readonly name: string;
  /** How often, beside the others. */
  readonly weight: number;
  readonly act: () => Promise<unknown>;
  begun: number;
}

const lists = [
  "/v1/tasks?limit=50",
  "/v1/approvals?limit=50",
  "/v1/agents",
  "/v1/agents/sales/trust",
  "/v1/analytics/overview",
  "/v1/knowledge/bases",
  "/v1/evaluations/runs?limit=20",
  "/v1/webhooks",
  "/v1/missions",
  "/v1/governance/violations",
  "/v1/governance/budgets",
  "/v1/marketplace/listings",
];
const missionSteps = [
  {
    id: "summarize",
    title: "Summarize every lead",
    agent: "sales",
    skill: "summarize_lead",
    inputs: { each: "input.leads", at_most: 3, input: { lead_id: "item.lead_id" } },
  },
];
const open = new Set(["queued", "running"]);

/** Looks at work that is not done yet: milliseconds between two, and how many at most. */
const pollMs = 500;
const mostPolls = 600;

/** Mixed work over the groups of operations. */
export class MixedWork {
  readonly #call: Call;
  #made = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Every kind, with its weight. */
  kinds(): Work[] {
    const kinds: Readonly<Record<string, readonly [number, () => Promise<unknown>]>> = {
      task: [30, () => this.#task()],
      batch: [4, () => this.#batch()],
      approval: [10, () => this.#approval()],
      workflow: [8, () => this.#workflow()],
      chat: [10, () => this.#chat()],
      document: [4, () => this.#document()],
      search: [10, () => this.#search()],
      evaluation: [0.4, () => this.#evaluation()],
      training: [0.1, () => this.#training()],
      audit: [8, () => this.#audit()],
      export: [0.1, () => this.#export()],
      lists: [12, () => this.#lists()],
      mission: [0.5, () => this.#mission()],
      key: [1, () => this.#key()],
      draft: [1, () => this.#draft()],
    };
    return Object.entries(kinds).map(([name, [weight, act]]) => ({ name, weight, act, begun: 0 }));
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }

  async #read<T>(path: string): Promise<T> {
    return (await this.#call<T>("GET", path)).body;
  }

  async #post<T>(path: string, body: object): Promise<T> {
    return (await this.#call<T>("POST", path, { body })).body;
  }

  /** Throws where it is still busy after five minutes. */
  async #until<T extends object>(path: string, busy: (one: T) => boolean): Promise<void> {
    for (let tried = 0; tried < mostPolls; tried++) {
      if (!busy(await this.#read<T>(path))) return;
      await delay(pollMs);
    }
    throw new Error(`${path} did not end in five minutes`);
  }

  #untilEnded(path: string): Promise<void> {
    return this.#until<{ state?: string; status?: string }>(path, (one) => open.has(one.state ?? one.status ?? ""));
  }

  async #dispatch(more: object): Promise<string> {
    const body = { task: "qualify_lead", lead_id: lead(this.#next()), ...more };
    return (await this.#post<{ task_id: string }>("/v1/agents/sales/tasks", body)).task_id;
  }

  async #task(): Promise<void> {
    const path = `/v1/tasks/${await this.#dispatch({ labels: ["soak"] })}`;
    await this.#untilEnded(path);
    await this.#post(`${path}/feedback`, { accepted: this.#next() % 5 !== 0 });
    await this.#read(`${path}/steps`);
  }

  #batch(): Promise<unknown> {
    const item = () => ({ agent: "sales", task: "qualify_lead", input: { lead_id: lead(this.#next()) } });
    return this.#post("/v1/tasks/batch", { items: Array.from({ length: 10 }, item) });
  }

  async #approval(): Promise<void> {
    const path = `/v1/approvals/${await this.#dispatch({ require_approval: true })}`;
    const { digest } = await this.#read<{ digest: string }>(path);
    if (this.#next() % 3 === 0) await this.#post(`${path}/reject`, { digest, reason: "Not now." });
    else await this.#post(`${path}/approve`, { digest });
  }

  async #workflow(): Promise<void> {
    const path = "/v1/workflows/soak-intake/runs";
    const { run_id } = await this.#post<{ run_id: string }>(path, { input: { lead_id: lead(this.#next()) } });
    await this.#untilEnded(`${path}/${run_id}`);
  }

  async #chat(): Promise<void> {
    const about = { agent: "sales", user: `customer-${this.#next() % 50}` };
    const { conversation_id } = await this.#post<{ conversation_id: string }>("/v1/chat/conversations", about);
    const path = `/v1/chat/conversations/${conversation_id}`;
    for (const text of [`What do you know of lead ${lead(this.#next())}?`, "And how large is that company?"]) {
      await this.#post(`${path}/messages`, { text });
      await this.#until<{ busy: boolean }>(path, ({ busy }) => busy);
    }
    await this.#call("DELETE", path, { body: {} });
  }

  /** One of a hundred pages: most are there already and get new contents. */
  #document(): Promise<unknown> {
    const at = this.#next() % 100;
    const text = `# Page ${at}\n\n${`Parcels of kind ${at} arrive in ${this.#made % 9} days. `.repeat(40)}`;
    return this.#post("/v1/knowledge/bases/soak/documents", { external_id: `page-${at}`, title: `Page ${at}`, text });
  }

  #search(): Promise<unknown> {
    const query = `when do parcels of kind ${this.#next() % 100} arrive`;
    return this.#post("/v1/knowledge/search", { query, bases: ["soak"] });
  }

  async #evaluation(): Promise<void> {
    const body = { dataset, version: 1, repeats: 1, scorers: [scorer] };
    const { run_id } = await this.#post<{ run_id: string }>("/v1/evaluations/runs", body);
    await this.#untilEnded(`/v1/evaluations/runs/${run_id}?limit=1`);
  }

  async #training(): Promise<void> {
    const path = "/v1/agents/sales/training";
    const example = (at: number) => ({
      input: { lead_id: lead(at) },
      output: { qualified: (at + this.#made) % 3 === 0 },
    });
    const examples = Array.from({ length: 200 }, (_, at) => example(at));
    const body = { skill: "qualify_lead", examples, note: "Soak.", seed: this.#next() };
    const { job_id } = await this.#post<{ job_id: string }>(path, body);
    await this.#untilEnded(`${path}/${job_id}`);
  }

  async #audit(): Promise<void> {
    const { data } = await this.#read<{ data: { audit_ref: string }[] }>("/v1/audit/events?limit=20");
    await this.#read(`/v1/audit/events/${data.at(-1)?.audit_ref}/proof`);
  }

  async #export(): Promise<void> {
    const { export_id } = await this.#post<{ export_id: string }>("/v1/audit/exports", { format: "jsonl" });
    await this.#untilEnded(`/v1/audit/exports/${export_id}`);
  }

  async #lists(): Promise<void> {
    for (const path of lists) await this.#read(path);
  }

  async #mission(): Promise<void> {
    const body = {
      goal: "Summarize the leads of a fair.",
      measure: { skill: "summarize_lead", aggregate: "count", target: 3, direction: "at_least" },
      agents: ["sales"],
      budget: { cost_usd: 1, tasks: 10 },
      autonomy: "within_limits",
      inputs: { leads: Array.from({ length: 3 }, () => ({ lead_id: lead(this.#next()) })) },
    };
    const { mission_id } = await this.#post<{ mission_id: string }>("/v1/missions", body);
    const path = `/v1/missions/${mission_id}`;
    const { plan } = await this.#post<{ plan: number }>(`${path}/plan`, { steps: missionSteps });
    await this.#post(`${path}/start`, { plan });
    await this.#read(`${path}/timeline`);
  }

  async #key(): Promise<void> {
    const body = { name: `soak-${this.#next()}`, role: "viewer" };
    const { key_id } = await this.#post<{ key_id: string }>("/v1/admin/keys", body);
    await this.#call("DELETE", `/v1/admin/keys/${key_id}`);
  }

  async #draft(): Promise<void> {
    const agent = await this.#call("GET", "/v1/agents/sales");
    const body = { description: `Qualifies leads; looked through ${this.#next()} times.` };
    const headers = { "if-match": agent.headers.get("etag") ?? "*" };
    await this.#call("PATCH", "/v1/agents/sales", { body, headers });
  }
}
