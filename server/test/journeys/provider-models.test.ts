import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  anthropicEvents,
  chatEvents,
  responsesEvents,
  type ScriptedTurn,
  startWireServer,
  type WireReply,
  type WireServer,
} from "../../src/runtime/models/providers/testing.ts";
import { useApp } from "../../src/testing/app.ts";

// An agent on another provider's model, from its connection to the bill: everything real but the model, which is a server on this machine that speaks the
// provider's wire protocol.

const app = useApp({ role: "all" });
const secret = "sk-test-0123456789abcdef";

const output = {
  type: "object",
  properties: { qualified: { type: "boolean" }, reason: { type: "string" } },
  required: ["qualified", "reason"],
  additionalProperties: false,
};
const answer = { qualified: true, reason: "The record says so." };
const lookUp = { calls: [{ id: "call_1", name: "get_lead", input: { lead_id: "ld_1001" } }] };

const call = async (method: string, path: string, body?: unknown) => {
  const { status, body: answered, text } = await app.call(method, path, body === undefined ? {} : { body });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return answered;
};

/** Makes an agent on a model, deploys it, and gives it a lead to qualify; answers the task's id. */
async function dispatch(agent: string, model: object, limits: object = { steps: 8, seconds: 60 }): Promise<string> {
  const tools = [{ name: "get_lead", kind: "record", base: "leads", effect: "read" }];
  const input = { type: "object", properties: { lead_id: { type: "string" } }, required: ["lead_id"] };
  const skills = [{ name: "qualify_lead", input, output, tools: ["get_lead"], limits }];
  await call("POST", "/v1/agents", {
    agent,
    description: "Qualifies leads.",
    model,
    knowledge: ["leads"],
    tools,
    skills,
  });
  const { version } = await call("POST", `/v1/agents/${agent}/versions`, { note: "The first." });
  await call("POST", `/v1/agents/${agent}/deployments`, { version });
  return (await call("POST", `/v1/agents/${agent}/tasks`, { task: "qualify_lead", lead_id: "ld_1001" })).task_id;
}

/** The same, and answers the task when it has ended. */
const qualify = async (agent: string, model: object, limits?: object) => ended(await dispatch(agent, model, limits));

async function ended(id: string) {
  const states = ["completed", "failed", "blocked"];
  return vi.waitFor(
    async () => {
      const task = await call("GET", `/v1/tasks/${id}`);
      expect(states).toContain(task.status);
      return task;
    },
    { timeout: 20_000, interval: 30 },
  );
}

describe.each([
  ["anthropic", "claude-haiku-4-5", anthropicEvents, (15 * 1 + 10 * 0.1 + 15 * 5) / 1e6],
  ["openai", "gpt-5-mini", responsesEvents, (15 * 0.25 + 10 * 0.025 + 15 * 2) / 1e6],
  ["openai-compatible", "llama3.2", chatEvents, 0],
] as const)("an agent on a model of %s", (provider, name, events, usdOfTurn) => {
  const turns: ScriptedTurn[] = [];
  /** Answered instead of the turns. */
  let instead: WireReply | null = null;
  let server: WireServer;

  beforeAll(async () => {
    server = await startWireServer(() => instead ?? { stream: events(turns.shift() ?? {}) });
    await call("POST", "/v1/admin/connections", {
      name: `main-${provider}`,
      kind: provider,
      base_url: server.url,
      secret,
    });
  });
  afterAll(() => server.close());

  const model = (connection = `main-${provider}`) => ({
    provider,
    name,
    connection,
    ...(provider === "openai-compatible" && { settings: { base_url: server.url } }),
  });

  it("looks its record up, answers by the schema, and every turn stands in the journal with its tokens and price", async () => {
    turns.push(lookUp, { text: JSON.stringify(answer) });
    const task = await qualify(`agent-${provider}`, model());
    expect(task).toMatchObject({ status: "completed", output: answer });
    const steps = (await call("GET", `/v1/tasks/${task.task_id}/steps`)).data;
    const shown = steps.map(({ kind, tokens, cost_usd }: { kind: string; tokens: number; cost_usd: number }) => [
      kind,
      tokens,
      cost_usd,
    ]);
    expect(shown.sort()).toEqual([
      ["model", 40, expect.closeTo(usdOfTurn, 6)],
      ["model", 40, expect.closeTo(usdOfTurn, 6)],
      ["tool", 0, 0],
    ]);
    const told = server.requests.map(({ body }) => JSON.stringify(body));
    expect(told[0]).toContain("ld_1001");
    expect(told[1]).toContain("call_1");
    expect(JSON.stringify([task, steps])).not.toContain(secret);
  });

  it("costs what its own settings say, and is not asked within a limit of money where nobody knows what it costs", async () => {
    const limits = { steps: 8, cost_usd: 0.01 };
    const settings = { ...("settings" in model() ? model().settings : {}), price: { input: 10, output: 2 } };
    turns.push({ text: JSON.stringify(answer) });
    expect(await qualify(`own-price-${provider}`, { ...model(), settings }, limits)).toMatchObject({
      status: "completed",
      cost_usd: expect.closeTo((25 * 10 + 15 * 2) / 1e6, 8),
    });
    const before = server.requests.length;
    const unknown = await qualify(`no-price-${provider}`, { ...model(), name: "unheard-of" }, limits);
    expect(unknown).toMatchObject({
      status: "failed",
      failure: { code: "price_unknown", detail: expect.stringContaining("unheard-of") },
    });
    expect(server.requests.length).toBe(before);
  });

  it("fails in words for people where the provider does not take the credentials", async () => {
    instead = {
      status: 401,
      json: { type: "error", error: { type: "authentication_error", message: `invalid key ${secret}` } },
    };
    const task = await qualify(`refused-${provider}`, model());
    instead = null;
    expect(task).toMatchObject({ status: "failed", failure: { code: "provider_unauthorized" } });
    expect(JSON.stringify(task)).not.toContain(secret);
  });

  it("is hung up on within two seconds when its task is cancelled in the middle of an answer", async () => {
    instead = { stream: events({ text: "an answer that never comes to its end" }).slice(0, -4), after: "hang" };
    const before = server.requests.length;
    const id = await dispatch(`cancelled-${provider}`, model());
    await vi.waitFor(() => expect(server.requests.length).toBe(before + 1), { timeout: 20_000, interval: 10 });
    const cancelled = performance.now();
    await call("POST", `/v1/tasks/${id}/cancel`, {});
    await server.abandoned;
    expect(performance.now() - cancelled).toBeLessThan(2000);
    instead = null;
    expect((await call("GET", `/v1/tasks/${id}`)).status).toBe("cancelled");
  });

  it("does not send the secret to another host, and calls nobody where the connection is missing", async () => {
    await call("POST", "/v1/admin/connections", {
      name: `brief-${provider}`,
      kind: provider,
      base_url: server.url,
      secret,
    });
    turns.push({ text: JSON.stringify(answer) });
    await qualify(`missing-${provider}`, model(`brief-${provider}`));
    await app.pool.query("delete from connections where name = $1", [`brief-${provider}`]);
    const before = server.requests.length;
    const thief = { ...model(), settings: { base_url: "https://thief.example.com/v1" } };
    expect(await qualify(`thief-${provider}`, thief)).toMatchObject({
      status: "failed",
      failure: { code: "provider_address_refused" },
    });
    const { task_id } = await call("POST", `/v1/agents/missing-${provider}/tasks`, {
      task: "qualify_lead",
      lead_id: "ld_1001",
    });
    expect(await ended(task_id)).toMatchObject({ status: "failed", failure: { code: "provider_not_configured" } });
    expect(server.requests.length).toBe(before);
  });
});
