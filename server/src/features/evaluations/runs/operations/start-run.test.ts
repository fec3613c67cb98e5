import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { newDataset, newRun, sameTeam, setGateOf, teamItems } from "../../testing.ts";

const app = useSharedApp();
const start = (body: object, options = {}) =>
  app.call("POST", "/v1/evaluations/runs", { body: { version: 1, ...body }, ...options });
const codeOf = async (body: object) => {
  const answered = await start(body);
  return [
    answered.status,
    ...(answered.body.errors ?? []).map((fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`),
  ];
};

describe("starting a run", () => {
  it("is accepted with where it can be read, keeps what was asked for, and wakes a worker", async () => {
    const dataset = await newDataset(app, teamItems(["enterprise", "midmarket"]));
    const scorer = await sameTeam(app);
    const body = { dataset, scorers: [scorer], repeats: 3, seed: 7, budget: { usd: 2.5 }, note: "why" };
    const { status, headers, body: run } = await start(body);
    expect([status, headers.get("location")]).toEqual([202, `/v1/evaluations/runs/${run.run_id}`]);
    expect(run).toMatchObject({
      run_id: expect.stringMatching(/^run_/),
      agent: "sales",
      skill: "route_lead",
      version: 1,
      version_id: expect.stringMatching(/^ver_/),
      dataset,
      dataset_version: 1,
      scorers: [{ scorer, version: 1 }],
      repeats: 3,
      seed: 7,
      budget: { items: null, usd: 2.5 },
      state: "queued",
      progress: { done: 0, failed: 0, total: 6 },
      usage: { steps: 0, tokens: 0, cost_usd: 0 },
      verdict: null,
      note: "why",
      requested_by: expect.stringMatching(/^mbr_/),
    });
    const jobs = await app.pool.query("select payload from graphile_worker._private_jobs where payload->>'run' = $1", [
      run.run_id,
    ]);
    expect(jobs.rows).toEqual([{ payload: { ...app.scope, run: run.run_id } }]);
    const { body: shown } = await app.call("GET", `/v1/evaluations/runs/${run.run_id}`);
    expect(shown).toMatchObject({ ...run, figures: [], decision: null, comparison: null });
  });

  it("runs the set's present version, by default an earlier one, and as many items as the budget allows", async () => {
    const dataset = await newDataset(app, teamItems(["enterprise", "midmarket"]));
    await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, {
      body: { items: [{ input: { lead_id: "ld_1" } }] },
    });
    expect(await newRun(app, dataset)).toMatchObject({
      dataset_version: 2,
      repeats: 1,
      seed: 1,
      progress: { total: 3 },
    });
    expect(await newRun(app, dataset, { dataset_version: 1 })).toMatchObject({
      dataset_version: 1,
      progress: { total: 2 },
    });
    expect(await newRun(app, dataset, { repeats: 5, budget: { items: 4 } })).toMatchObject({
      progress: { total: 4 },
      budget: { items: 4, usd: null },
    });
    expect(await codeOf({ dataset, dataset_version: 3, scorers: ["same-team"] })).toEqual([
      422,
      "/dataset_version unknown_version",
    ]);
  });

  it("takes scorers and repeats of the gate that names the set, where the body names none", async () => {
    const [dataset, other] = [
      await newDataset(app, teamItems(["enterprise"])),
      await newDataset(app, teamItems(["enterprise"])),
    ];
    await setGateOf(app, { datasets: [dataset], scorers: [{ scorer: await sameTeam(app) }], repeats: 4 });
    expect((await start({ dataset })).body).toMatchObject({ scorers: [{ scorer: "same-team" }], repeats: 4 });
    expect((await start({ dataset, repeats: 2 })).body).toMatchObject({ repeats: 2 });
    expect(await codeOf({ dataset: other })).toEqual([422, "/scorers no_scorers"]);
  });

  it("refuses a set, a version or a scorer that there is not, and a version that lacks the skill", async () => {
    const dataset = await newDataset(app, teamItems(["enterprise"]));
    expect(await codeOf({ dataset: "nothing", scorers: ["same-team"] })).toEqual([422, "/dataset unknown_dataset"]);
    expect(await codeOf({ dataset, scorers: ["same-team"], version: 99 })).toEqual([422, "/version unknown_version"]);
    expect(await codeOf({ dataset, scorers: ["same-team", "nothing"] })).toEqual([422, "/scorers/1 unknown_scorer"]);
    await app.pool.query("update datasets set skill = 'gone' where name = $1", [dataset]);
    expect(await codeOf({ dataset, scorers: ["same-team"] })).toEqual([422, "/version lacks_skill"]);
    expect((await start({ dataset, repeats: 0 })).body.errors[0].pointer).toBe("/repeats");
  });
});

describe("listing runs", () => {
  it("shows the newest first, those of the environment only, and finds by agent, version, set, state and verdict", async () => {
    const dataset = await newDataset(app, teamItems(["enterprise"]));
    const [first, second] = [await newRun(app, dataset), await newRun(app, dataset)];
    await app.pool.query("update evaluation_runs set state = 'completed', verdict = 'failed' where id = $1", [
      first.run_id,
    ]);
    const ids = async (query: string, options = {}) =>
      (await app.call("GET", `/v1/evaluations/runs?${query}`, options)).body.data.map(
        ({ run_id }: { run_id: string }) => run_id,
      );
    expect(await ids(`dataset=${dataset}`)).toEqual([second.run_id, first.run_id]);
    expect(await ids(`dataset=${first.dataset_id}&verdict=failed`)).toEqual([first.run_id]);
    expect(await ids(`dataset=${dataset}&verdict=none,open`)).toEqual([second.run_id]);
    expect(await ids(`dataset=${dataset}&state=completed`)).toEqual([first.run_id]);
    expect(await ids(`dataset=${dataset}&agent=sales&version=1`)).toHaveLength(2);
    expect(await ids(`dataset=${dataset}&version=2`)).toEqual([]);
    expect(await ids(`dataset=${dataset}&agent=support`)).toEqual([]);
    expect(await ids(`dataset=${dataset}`, { environment: "staging" })).toEqual([]);
    const page = await app.call("GET", `/v1/evaluations/runs?dataset=${dataset}&limit=1`);
    expect(await ids(`dataset=${dataset}&limit=1&cursor=${page.body.next_cursor}`)).toEqual([first.run_id]);
  });
});
