import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { steeredReason } from "../../../tasks/public.ts";
import { insertApproval, insertStep, insertTask, insertViolation, judge } from "../../rollups/facts.fixture.ts";
import { rollUp } from "../../rollups/testing.ts";

const app = useApp();
const before = Date.now() - 3_600_000;
const read = async (query = "", options = {}) => (await app.call("GET", `/v1/analytics/risk${query}`, options)).body;

describe("risk", () => {
  it("tells what was blocked and what nearly happened", async () => {
    for (const kind of ["blocked", "blocked", "would_block", "warned"]) await insertViolation(app.pool, before, kind);
    const others = [
      "agent_paused",
      "agent_paused",
      "kill_switch_engaged",
      "evaluation_gate_failed",
      "budget_exhausted",
    ];
    for (const reason of others) await insertViolation(app.pool, before, "blocked", { source: reason, reason });
    const task = await insertTask(app.pool, before, { status: "completed" });
    await judge(app.pool, task, 0);
    const decided = { decided_by: "mbr_1", decided_at: new Date() };
    await insertApproval(app.pool, before, task, { status: "consumed", ...decided });
    await insertApproval(app.pool, before, task, { status: "rejected", ...decided });
    await rollUp(app.pool);
    const { figures, near_misses, reasons, by_agent } = await read();
    expect(figures).toMatchObject({
      violations: { value: 9 },
      blocked: { value: 7 },
      policy_denials: { value: 2, n: 4, link: null },
      pause_blocks: { value: 2 },
      kill_switch_blocks: { value: 1 },
      gate_blocks: { value: 1 },
      budget_blocks: { value: 1 },
    });
    expect(near_misses).toEqual({ rejected: 1, would_have: 1, warned: 1, approved_wrong: 1 });
    expect(reasons[0]).toMatchObject({
      key: { policy: "pol_1", reason: "test" },
      figures: { violations: { value: 4 } },
    });
    expect(reasons[0].figures.violations.link).toMatch(/^\/v1\/governance\/violations\?source=pol_1/);
    expect(by_agent[0].key).toEqual({ agent: "sales" });
  });

  it("tells what can go wrong now, as far as the caller may read it", async () => {
    const task = await insertTask(app.pool, before, { status: "running", risk_level: "critical", attempt: 1 });
    await insertStep(app.pool, task, { state: "unknown", name: "send_email" });
    await insertApproval(app.pool, before, task, { tool: "send_email", reasons: JSON.stringify([steeredReason]) });
    await app.call("POST", "/v1/governance/kill-switch", {
      body: { kind: "tool", target: "crm", reason: "Wrong.", allow_unknown: true },
    });
    const { exposure } = await read();
    expect(exposure.open_high_risk).toMatchObject({ n: 1, items: [{ name: "sales", n: 1 }] });
    for (const asked of ["", "?skill=qualify_lead", "?skill=none", "?agent=sales"]) {
      const { n, link } = (await read(asked)).exposure.open_high_risk;
      expect((await app.call("GET", link)).body.data, asked).toHaveLength(n);
    }
    expect(exposure.unknown_outcomes.items).toMatchObject([{ id: task, what: "send_email of sales" }]);
    expect(exposure.steered).toMatchObject({ n: 1, items: [{ id: task, what: "send_email of sales" }] });
    expect(exposure.kill_switches.items).toMatchObject([{ what: "tool crm: Wrong." }]);
    expect(exposure.exceptions, "an agent without a gate overrides none").toMatchObject({ n: 0 });
    await app.pool.query(
      "insert into gates (organization, environment, agent, definition, author) values ('default', 'development', 'sales', $1, 'test')",
      [JSON.stringify({ fail_closed: false, on_missing: null, table: {} })],
    );
    await app.pool.query(
      "insert into fact_epochs (topic, epoch) values ('gates', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    );
    await app.app.facts.refresh();
    expect((await read()).exposure.exceptions.items).toMatchObject([{ what: "Version 1 of sales" }]);
    expect((await read("?agent=support")).exposure).toMatchObject({ open_high_risk: { n: 0 }, steered: { n: 0 } });
    const { body } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "f", role: "viewer", scopes: ["analytics:read"] },
    });
    const narrow = await read("", { key: body.key });
    expect(Object.values(narrow.exposure).map((one) => (one as { n: number }).n)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
