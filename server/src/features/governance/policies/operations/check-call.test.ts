import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const check = (body: Record<string, unknown>, key = "admin") => app.call("POST", "/v1/governance/check", { body, key });
const dispatch = { action: "task.dispatch", agent: "sales", skill: "qualify_lead", input: { lead_id: "ld_1001" } };
const create = async (more: object) => {
  const text = {
    name: "One",
    when: "true",
    effect: "deny",
    reason_code: "one",
    message: "Not this.",
    scope: { actions: ["task.dispatch"] },
    state: "active",
  };
  const { status, body, headers } = await app.call("POST", "/v1/governance/policies", { body: { ...text, ...more } });
  expect(status, JSON.stringify(body)).toBe(201);
  return {
    id: body.policy_id as string,
    retire: () =>
      app.call("DELETE", `/v1/governance/policies/${body.policy_id}`, {
        body: {},
        headers: { "if-match": headers.get("etag") as string },
      }),
  };
};

describe("a proposed call", () => {
  it("is judged as the call itself would be, by every policy with its reason, and nothing comes of it", async () => {
    const quiet = await check(dispatch);
    expect(quiet.body).toMatchObject({
      verdict: "allow",
      refused_by: null,
      hold: null,
      policies: [],
      gate: { consequence: expect.any(String) },
    });
    expect(quiet.body.context).toMatchObject({
      agent: { name: "sales" },
      skill: { name: "qualify_lead" },
      risk: { level: expect.any(String) },
      trust: { low: expect.any(Number) },
    });
    const deny = await create({ when: 'has(input.lead_id) && input.lead_id == "ld_1002"' });
    const shadow = await create({ state: "shadow" });
    const later = await create({ effective_from: "2036-01-01T00:00:00Z" });
    const outcomes = async (input: object) => {
      const { body } = await check({ ...dispatch, input });
      return [
        body.verdict,
        Object.fromEntries(
          body.policies.map((one: { policy_id: string; outcome: string }) => [one.policy_id, one.outcome]),
        ),
      ];
    };
    const others = { [shadow.id]: "applies", [later.id]: "outside_window" };
    expect(await outcomes({ lead_id: "ld_1001" })).toEqual(["allow", { [deny.id]: "does_not_apply", ...others }]);
    expect(await outcomes({ lead_id: "ld_1002" })).toEqual(["deny", { [deny.id]: "applies", ...others }]);
    const { body } = await check({ ...dispatch, input: { lead_id: "ld_1002" } });
    expect(body).toMatchObject({
      refused_by: "policy",
      explanation: `It would be refused by ${deny.id}, version 1: Not this.`,
    });
    expect(body.context.input).toBeUndefined();
    const { rows } = await app.pool.query(
      "select (select count(*) from tasks)::int as tasks, (select count(*) from violations)::int as violations",
    );
    expect(rows).toEqual([{ tasks: 0, violations: 0 }]);
    for (const one of [deny, shadow, later]) await one.retire();
  });

  it("shows approvals, tags, bounds and redactions that policies add", async () => {
    const run = { actions: ["task.run"] };
    const all = [
      await create({ scope: run, effect: "require_approval", params: { approvers: 3, reason: "Three of us." } }),
      await create({ scope: run, effect: "limit", params: { steps: 4 } }),
      await create({ scope: run, effect: "redact", params: { kinds: ["email"] } }),
      await create({ scope: run, effect: "tag", params: { tags: ["watched"] } }),
    ];
    const { body } = await check({ ...dispatch, action: "task.run" });
    expect(body).toMatchObject({
      verdict: "require_approval",
      approval: { approvers: 3 },
      limits: { steps: 4 },
      redact: ["email"],
    });
    expect(body.tags).toContain("watched");
    expect(body.explanation).toContain("Three of us.");
    for (const one of all) await one.retire();
  });

  it("asks as another role, for tools, and for actions that no agent does", async () => {
    const role = await create({
      when: 'principal.role == "operator"',
      scope: { actions: ["task.dispatch", "key.issue"] },
    });
    const write = await create({ when: 'tool.name == "get_lead"', scope: { actions: ["tool.call"] } });
    expect((await check(dispatch)).body.verdict).toBe("allow");
    expect((await check({ ...dispatch, as: { role: "operator" } })).body).toMatchObject({
      verdict: "deny",
      refused_by: "policy",
    });
    expect((await check({ action: "key.issue", as: { role: "operator" } })).body).toMatchObject({
      verdict: "deny",
      gate: null,
    });
    const { rows } = await app.pool.query("select definition from agent_versions where agent = 'sales'");
    const [tool] = rows[0].definition.tools;
    const called = await check({
      action: "tool.call",
      agent: "sales",
      skill: "qualify_lead",
      tool: tool.name,
      input: { id: "ld_1001" },
    });
    expect(called.body).toMatchObject({ verdict: tool.name === "get_lead" ? "deny" : "allow", gate: null });
    const exempt = await check({ action: "policy.create" });
    expect(exempt.body).toMatchObject({
      verdict: "allow",
      explanation: expect.stringContaining("no policy can deny this action"),
    });
    for (const one of [role, write]) await one.retire();
  });

  it("is refused by gate, stop and budget as the call would be", async () => {
    const stop = await app.call("POST", "/v1/governance/kill-switch", {
      body: { kind: "agent", target: "sales", reason: "it harms" },
    });
    expect((await check(dispatch)).body).toMatchObject({
      verdict: "deny",
      refused_by: "hold",
      hold: { source: stop.body.kill_switch_id, code: "kill_switch_engaged" },
    });
    await app.call("DELETE", `/v1/governance/kill-switch/${stop.body.kill_switch_id}`, { body: { reason: "over" } });
    const set = (limits: object[]) => app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
    await set([{ unit: "tasks", period: "day", hard: 0 }]);
    const { body } = await check(dispatch);
    expect(body).toMatchObject({
      verdict: "deny",
      refused_by: "budget",
      budgets: [{ scope: "agent:sales", unit: "tasks", required: 1, available: 0, within_limit: false }],
    });
    await set([
      { unit: "tasks", period: "day", hard: 9 },
      { unit: "usd", period: "day", warn: 5 },
    ]);
    expect((await check(dispatch)).body).toMatchObject({
      verdict: "allow",
      budgets: [{ within_limit: true, available: 9 }],
      context: { spend: { agent_day_usd: 0 } },
    });
    await set([]);
    await app.deploy("production");
    await app.verdict("failed", "production");
    const production = await app.call("POST", "/v1/governance/check", { body: dispatch, environment: "production" });
    expect(production.body).toMatchObject({
      verdict: "deny",
      refused_by: "evaluation_gate",
      gate: { state: "failed", consequence: "deny" },
    });
    await app.verdict("inconclusive", "production");
    const waits = await app.call("POST", "/v1/governance/check", { body: dispatch, environment: "production" });
    expect(waits.body).toMatchObject({
      verdict: "require_approval",
      gate: { consequence: "require_approval" },
      approval: { approvers: expect.any(Number) },
    });
  });

  it("comes from the address of the call", async () => {
    const near = {
      when: 'has(key.address) && inCidr(key.address, "127.0.0.0/8")',
      scope: { actions: ["task.dispatch", "key.issue"] },
    };
    const policy = await create(near);
    expect(
      (await app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", lead_id: "ld_1001" } })).status,
    ).toBe(403);
    expect((await check(dispatch)).body).toMatchObject({
      verdict: "deny",
      context: { key: { address: "127.0.0.1" } },
    });
    expect((await check({ action: "key.issue" })).body.verdict).toBe("deny");
    await policy.retire();
  });

  it("has an input only where calls of its action carry one", async () => {
    const { status, body } = await check({ action: "key.issue", input: { iban: "DE89370400440532013000" } });
    expect([status, body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)]).toEqual([
      422,
      ["/input not_carried"],
    ]);
    expect(body.errors[0].detail).toContain("must be left out");
    expect(body.errors[0].detail).toContain("document.add");
  });

  it("has to be one that could be made", async () => {
    const faults = async (body: Record<string, unknown>) =>
      (await check(body)).body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect(await faults({ action: "task.dispach" })).toEqual(["/action unknown_action"]);
    expect(await faults({ action: "task.dispatch" })).toEqual(["/agent required", "/skill required"]);
    expect(await faults({ action: "model.call", agent: "sales" })).toEqual(["/model required"]);
    expect(await faults({ ...dispatch, agent: "nobody" })).toEqual(["/agent unknown_agent"]);
    expect(await faults({ ...dispatch, skill: "qualify_leads" })).toEqual(["/skill unknown_skill"]);
    expect(await faults({ ...dispatch, action: "tool.call", tool: "nothing" })).toEqual(["/tool unknown_tool"]);
    expect((await faults({ ...dispatch, input: { lead_id: 7 } }))[0]).toMatch(/^\/input\/lead_id /);
    expect(await faults({ action: "key.issue", skill: "x" })).toEqual(["/agent required"]);
    const model = await check({ action: "model.call", agent: "sales", model: "large" });
    expect(model.body.context.model).toEqual({ name: "large" });
  });
});
