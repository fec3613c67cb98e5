import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { createdWorkflow, publish, qualify } from "../testing.ts";

const app = useApp();
const list = async (query = "") => (await app.call("GET", `/v1/workflows${query}`)).body.data;
const names = async (query = "") => (await list(query)).map(({ name }: { name: string }) => name);

/** Runs of a workflow as they are once they have ended. */
async function ended(workflow: string, statuses: readonly string[], daysAgo = 0): Promise<void> {
  const { organization, environment } = app.scope;
  await app.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, audit_ref, created_at, updated_at)
     select $1, $2, 'wfr_' || $3 || lpad($5 || n::text, 8, '0'), $3, 1, 'wfv_1', s, '{}', 'manual', 'mbr_1', 'aud_1', now() - make_interval(days => $5::int), now()
     from unnest($4::text[]) with ordinality r (s, n)`,
    [organization, environment, workflow, statuses, daysAgo],
  );
}

describe("the list of workflows", () => {
  beforeAll(async () => {
    await createdWorkflow(app, { workflow: "first", description: "Judges refunds." });
    await createdWorkflow(app, { workflow: "second", steps: [{ id: "a", set: {} }] });
    await publish(app, "second");
    await createdWorkflow(app, {
      workflow: "third",
      steps: [qualify(), { ...qualify("b"), agent: { name: "hr", skill: "x" } }],
    });
    await app.call("DELETE", "/v1/workflows/third", { body: { reason: "Over." } });
  });

  it("is newest first, and narrows by state, agent and words", async () => {
    expect(await names()).toEqual(["third", "second", "first"]);
    expect(await names("?status=live,archived")).toEqual(["third", "second"]);
    expect(await names("?agent=hr")).toEqual(["third"]);
    expect(await names("?search=REFUND")).toEqual(["first"]);
    expect((await app.call("GET", "/v1/workflows?status=live", { environment: "staging" })).body.data).toEqual([]);
  });

  it("goes on where a page ended", async () => {
    const { body } = await app.call("GET", "/v1/workflows?limit=2");
    const rest = await app.call("GET", `/v1/workflows?limit=2&cursor=${body.next_cursor}`);
    expect([body.data.length, rest.body.data.map(({ name }: { name: string }) => name)]).toEqual([2, ["first"]]);
  });

  it("shows the share of runs that completed within 30 days, with its interval, and the newest run", async () => {
    await ended("second", ["failed"], 31);
    await ended("second", [...Array(18).fill("completed"), "failed", "compensated", "cancelled", "running"]);
    const [second] = await list("?status=live");
    expect(second).toMatchObject({
      live_version: 1,
      success_rate: { rate: 0.9, runs: 20 },
      last_run: { run_id: expect.any(String) },
    });
    expect(second.success_rate.low).toBeCloseTo(0.716, 3);
    expect(second.success_rate.high).toBeCloseTo(0.979, 3);
  });

  it("shows a key that is narrowed to agents the workflows of these alone", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", {
      key: (await app.member("admin")).secret,
      body: { name: "narrow", role: "viewer", agents: ["sales"] },
    });
    const narrowed = await app.call("GET", "/v1/workflows", { key: body.key });
    expect(narrowed.body.data.map(({ name }: { name: string }) => name)).toEqual(["first"]);
    expect((await app.call("GET", "/v1/workflows/third", { key: body.key })).status).toBe(403);
  });
});
