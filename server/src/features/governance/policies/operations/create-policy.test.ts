import { describe, expect, it, vi } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/policies";
const text = {
  name: "No account numbers",
  scope: { actions: ["task.dispatch"], agents: ["sales"] },
  when: '"iban" in data.kinds',
  effect: "deny",
  reason_code: "account_number",
  message: "The input holds a bank account number; leave it out.",
};
const create = (more: Record<string, unknown> = {}, options: { key?: string } = {}) =>
  app.call("POST", path, { body: { ...text, ...more }, ...options });
const faultsOf = async (more: Record<string, unknown>) => {
  const { status, body } = await create(more);
  expect(status).toBe(422);
  return body.errors.map(({ pointer, code, line, column }: Record<string, unknown>) =>
    [pointer, code, ...(line ? [line, column] : [])].join(" "),
  );
};
const dispatched = (input: Record<string, unknown>) =>
  app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", input: { lead_id: "ld_1001", ...input } },
  });

describe("a new policy", () => {
  it("is in shadow by default, keeps all that was given, and reads the same", async () => {
    const given = {
      params: { approvers: 2, requester_allowed: false, reason: "Money leaves." },
      effect: "require_approval",
      controls: ["soc2:CC6.1"],
      note: "a first try",
      effective_from: "2026-01-01T00:00:00.000Z",
      effective_until: "2036-01-01T00:00:00.000Z",
    };
    const { status, body, headers } = await create(given);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...text,
      ...given,
      version: 1,
      state: "shadow",
      in_force: { active: null, shadow: 1 },
      report: null,
      activated_at: null,
    });
    expect(body.versions).toMatchObject([{ version: 1, state: "shadow", note: "a first try" }]);
    expect(headers.get("location")).toBe(`${path}/${body.policy_id}`);
    const read = await app.call("GET", `${path}/${body.policy_id}`);
    expect(read.body).toEqual(body);
    expect(read.headers.get("etag")).toBe(headers.get("etag"));
  });

  it("decides at once where it is active, after a replay whose digest stands in its record", async () => {
    const { body, headers } = await create({
      state: "active",
      when: 'has(input.lead_id) && input.lead_id == "ld_1009"',
    });
    expect(body).toMatchObject({
      state: "active",
      in_force: { active: 1, shadow: null },
      report: { would_be_denied: 0 },
    });
    const record = await app.call("GET", `/v1/audit/events/${headers.get("audit-ref")}`);
    expect(JSON.stringify(record.body)).toContain(`report sha256:${body.report.digest}`);
    const { rows } = await app.pool.query("select report_digest from policies where id = $1", [body.policy_id]);
    expect(rows[0].report_digest).toBe(body.report.digest);
    const refused = await dispatched({ lead_id: "ld_1009" });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: "policy_blocked", policies: [{ policy: body.policy_id, version: 1 }] },
    });
    expect((await dispatched({})).status).toBe(202);
  });

  it("decides nothing in shadow and as a draft, and nothing outside its time", async () => {
    const when = 'has(input.lead_id) && input.lead_id == "ld_1008"';
    const shadow = await create({ when });
    await create({ when, state: "draft" });
    await create({ when, state: "active", effective_from: "2036-01-01T00:00:00Z" });
    await create({ when, state: "active", effective_until: "2020-01-01T00:00:00Z" });
    const { status, body } = await dispatched({ lead_id: "ld_1008" });
    expect(status).toBe(202);
    const { rows } = await app.pool.query("select source, kind from violations where id = $1", [body.audit_ref]);
    expect(rows).toEqual([{ source: shadow.body.policy_id, kind: "would_block" }]);
  });

  it("names every fault with its place, those of the condition with line and column", async () => {
    expect(await faultsOf({ when: 'risk.level == "high" &&\n  agent.nam == "x"' })).toEqual([
      "/when unknown_field 2 9",
    ]);
    expect(await faultsOf({ when: "risk.score >= ", scope: { actions: ["task.dispach"] } })).toEqual([
      "/when syntax_error 1 15",
      "/scope/actions/0 unknown_action",
    ]);
    const { body } = await create({ scope: { actions: ["task.dispach"] } });
    expect(body.detail).toContain("Did you mean task.dispatch?");
    expect((await create({ when: "input.amount > 3.0" })).body.detail).toContain(
      "line 1, column 7: input.amount may be absent",
    );
    expect(await faultsOf({ effect: "tag" })).toEqual(["/params/tags required"]);
    expect(await faultsOf({ effect: "limit", params: { steps: 2 }, scope: {} })).toEqual([
      "/scope/actions effect_without_meaning",
    ]);
    expect(await faultsOf({ effect: "redact", params: { kinds: ["email"] } })).toEqual([
      "/scope/actions/0 effect_without_meaning",
    ]);
    expect(await faultsOf({ scope: { environments: ["production"] } })).toEqual([
      "/scope/environments/0 another_environment",
    ]);
    expect(await faultsOf({ effective_from: "2027-01-01T00:00:00Z", effective_until: "2026-01-01T00:00:00Z" })).toEqual(
      ["/effective_until invalid_value"],
    );
    expect(await faultsOf({ reason_code: "policy_error" })).toEqual(["/reason_code reserved"]);
    expect(await faultsOf({ effect: "block", when: "1" })).toEqual(["/effect not_allowed", "/when not_boolean 1 1"]);
    expect(await faultsOf({ name: "", state: "retired" })).toEqual(["/name too_short", "/state not_allowed"]);
  });

  it("reads what budgets have counted, where one counts it", async () => {
    const set = (limits: object[]) => app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
    await create({
      when: "has(spend.agent_day_usd) && spend.agent_day_usd >= 0",
      scope: { actions: ["task.dispatch"] },
      state: "active",
      reason_code: "spent",
    });
    expect((await dispatched({})).status).toBe(202);
    await set([{ unit: "usd", period: "day", warn: 5 }]);
    await vi.waitFor(async () => expect((await dispatched({})).status).toBe(403), { timeout: 5_000, interval: 100 });
    await set([]);
    await vi.waitFor(async () => expect((await dispatched({})).status).toBe(202), { timeout: 5_000, interval: 100 });
  });

  it("reaches no further than the agents of a narrowed key", async () => {
    const { secret, keyId } = await app.member("admin");
    await app.pool.query("update keys set agents = '{sales}' where id = $1", [keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    expect((await create({}, { key: secret })).status).toBe(201);
    expect(await create({ scope: {} }, { key: secret })).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope" },
    });
    expect((await create({ scope: { agents: ["sal*"] } }, { key: secret })).status).toBe(403);
  });
});
