import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { begin, plain, publish, waiting } from "../control.fixture.ts";

const app = useSharedApp();
const start = (workflow: string, body: object = {}, options: object = {}) =>
  app.call("POST", `/v1/workflows/${workflow}/runs`, { body, ...options });

describe("POST /v1/workflows/{workflow}/runs", () => {
  it("starts a run of the live version, which a later one does not change", async () => {
    const workflow = await publish(app, { steps: [waiting] });
    const run = await begin(app, workflow, { input: { a: 1 }, labels: ["test"] });
    expect(run).toMatchObject({ workflow, version: 1, status: "queued", input: { a: 1 }, labels: ["test"] });
    await publish(app, {}, { name: workflow, version: 2 });
    await app.pool.query("update workflow_releases set version_number = 2 where workflow = $1", [workflow]);
    expect((await app.call("GET", `/v1/workflows/-/runs/${run.run_id}`)).body).toMatchObject({ version: 1 });
    expect(await begin(app, workflow)).toMatchObject({ version: 2 });
  });

  it("refuses input that does not fit the version's schema, with its place", async () => {
    const workflow = await publish(app, {
      input: { type: "object", required: ["order"], properties: { order: { type: "string" } } },
    });
    const { status, body } = await start(workflow, { input: { order: 7 } });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, "invalid_body", "/input/order"]);
  });

  it("refuses a workflow that is not live in the environment", async () => {
    const workflow = await publish(app, {});
    const { status, body } = await start(workflow, {}, { environment: "staging" });
    expect([status, body.code]).toEqual([409, "workflow_not_live"]);
  });

  it("does not find a workflow that is archived", async () => {
    const workflow = await publish(app, {});
    await app.pool.query("update workflows set archived_at = now(), archived_by = 'test' where name = $1", [workflow]);
    expect((await start(workflow)).status).toBe(404);
  });

  it("keeps one open run per business key, also of two calls at once", async () => {
    const workflow = await publish(app, { key: "input.order", steps: [waiting] });
    const answers = await Promise.all([1, 2].map(() => start(workflow, { input: { order: "or_1" } })));
    const [first, second] = answers.sort((a, b) => a.status - b.status);
    expect([first?.status, second?.status, second?.body.code]).toEqual([202, 409, "run_already_open"]);
    expect(second?.body.run_id).toBe(first?.body.run_id);
    expect(await begin(app, workflow, { input: { order: "or_2" } })).toMatchObject({ business_key: "or_2" });
    const keyless = await start(workflow, { input: {} });
    expect([keyless.status, keyless.body.errors[0].code]).toEqual([422, "no_key"]);
    expect((await start(workflow, { input: { order: "or_3" }, key: "mine" })).body.errors[0].code).toBe("computed");
  });

  it("refuses a run beyond the workflow's concurrency, or has it replace the oldest", async () => {
    const concurrency = { key: "input.team", limit: 2 };
    const rejecting = await publish(app, { steps: [waiting], concurrency: { ...concurrency, when_full: "reject" } });
    const input = { team: "a" };
    const runs = [await begin(app, rejecting, { input }), await begin(app, rejecting, { input })];
    const refused = await start(rejecting, { input });
    expect([refused.status, refused.body.code]).toEqual([409, "concurrency_full"]);
    expect(refused.body.runs).toEqual(runs.map(({ run_id }) => run_id));
    await begin(app, rejecting, { input: { team: "b" } });

    const replacing = await publish(app, { steps: [waiting], concurrency: { ...concurrency, when_full: "replace" } });
    const started = [];
    for (let n = 0; n < 4; n++) started.push((await begin(app, replacing, { input })).run_id);
    const asked = await Promise.all(
      started.map(async (run) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body.asked),
    );
    expect(asked).toEqual(["cancel", "cancel", null, null]);
  });

  it("passes the gate of the agents that it uses, and leaves people's approval to its steps", async () => {
    const steps = [{ id: "qualify", agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "'ld_1001'" } } }];
    const workflow = await publish(app, { steps }, { environment: "staging" });
    await app.deploy("staging");
    const inStaging = { environment: "staging" };
    await app.verdict("failed", "staging");
    const refused = await start(workflow, {}, inStaging);
    expect([refused.status, refused.body.code]).toEqual([409, "evaluation_gate_failed"]);
    await app.verdict("inconclusive", "staging");
    expect((await start(workflow, {}, inStaging)).status).toBe(202);
  });
});

it("needs no agent", async () => {
  expect(await begin(app, await publish(app, { steps: [plain] }))).toMatchObject({ progress: { steps: 1 } });
});
