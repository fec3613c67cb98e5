import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { newDataset, newRun, readRunOf, runJobOf, skillsThat, teamItems } from "../../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
const wrongFirst = (wrong: number) =>
  skillsThat(({ input }) => ({
    team: Number(String(input.lead_id).slice(3)) - 1000 <= wrong ? "wrong" : "enterprise",
  }));
const finished = async (dataset: string, wrong: number, more: object = {}) => {
  const run = await newRun(app, dataset, more);
  await runJobOf(process, wrongFirst(wrong))(app, run);
  return run;
};
const set = (n: number) => newDataset(app, teamItems(Array<string>(n).fill("enterprise")));

it("a run is awaited where the caller does", async () => {
  const run = await newRun(app, await set(2));
  const waited = app.call("GET", `/v1/evaluations/runs/${run.run_id}`, {
    key: "viewer",
    headers: { prefer: "wait=30" },
  });
  await runJobOf(process, wrongFirst(0))(app, run);
  const { body, headers } = await waited;
  expect([body.state, body.items.data.length, headers.get("preference-applied")]).toEqual(["completed", 2, "wait=30"]);
});

it("is not shown with scores that were changed in the database", async () => {
  const { run_id } = await finished(await set(2), 1);
  const read = () => app.call("GET", `/v1/evaluations/runs/${run_id}`);
  expect((await read()).status).toBe(200);
  await app.pool.query(`update evaluation_results set scores = '{"same-team":1}' where run_id = $1`, [run_id]);
  const { status, body } = await read();
  expect([status, body.code, body.run_id]).toEqual([500, "result_not_intact", run_id]);
  const record = (await app.call("GET", `/v1/audit/events/${body.result_ref}`)).body;
  expect(record).toMatchObject({
    action: "evaluations.finishRun",
    object: `run:${run_id}`,
    commitments: { response: expect.any(String) },
  });
});

describe("a run compared with another", () => {
  it("says by how much it changed, how sure that is, and which items got worse, the surest first", async () => {
    const dataset = await set(50);
    const [before, after] = [await finished(dataset, 0, { repeats: 2 }), await finished(dataset, 10, { repeats: 2 })];
    const { comparison } = await readRunOf(app, after, `&compare_to=${before.run_id}`);
    expect(comparison).toMatchObject({ run_id: before.run_id, version: 1, tolerance: 0.05, regressed: 10 });
    const [same] = comparison?.scorers ?? [];
    expect(same).toMatchObject({ scorer: "same-team", outcome: "worse", items: 50, n: 50, before: 1, after: 0.8 });
    expect(same?.difference).toBeCloseTo(-0.2);
    expect(same?.high).toBeLessThan(0);
    expect(same?.p_worse).toBeLessThan(0.01);
    expect(comparison?.regressions).toHaveLength(10);
    expect(comparison?.regressions[0]).toMatchObject({ item: "lead-1", scorer: "same-team", before: 1, after: 0 });
    expect(comparison?.regressions[0]?.confidence).toBeGreaterThan(0.9);
  });

  it("says that it is not worse where nothing changed, and that it cannot tell by a few items", async () => {
    const [many, few] = [await set(90), await set(3)];
    const outcome = async (dataset: string) => {
      const [before, after] = [await finished(dataset, 1), await finished(dataset, 1)];
      return (await readRunOf(app, after, `&compare_to=${before.run_id}`)).comparison?.scorers[0]?.outcome;
    };
    expect([await outcome(many), await outcome(few)]).toEqual(["not_worse", "unclear"]);
  });

  it("looks at items only that are the same in both versions of the set", async () => {
    const dataset = await set(10);
    const before = await finished(dataset, 0);
    const items = [
      ...teamItems(["self_service"]),
      { item: "new", input: { lead_id: "ld_1011" }, expected: { team: "enterprise" } },
    ];
    await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body: { items } });
    const after = await finished(dataset, 0);
    const { comparison } = await readRunOf(app, after, `&compare_to=${before.run_id}`);
    expect([comparison?.scorers[0]?.items, comparison?.regressed]).toEqual([9, 0]);
  });

  it("refuses what is no run here, and a run of another set", async () => {
    const run = await finished(await set(2), 0);
    const other = await finished(await set(2), 0);
    for (const reference of ["run_01jd8x0000000000000000000v", "nothing", other.run_id]) {
      const { status, body } = await app.call("GET", `/v1/evaluations/runs/${run.run_id}?compare_to=${reference}`);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, "invalid_parameter", "compare_to"]);
    }
  });
});

describe("the items of a run", () => {
  it("come page by page, in the order of the set, also before they have been run", async () => {
    const dataset = await set(5);
    const run = await newRun(app, dataset);
    const names: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await app.call("GET", `/v1/evaluations/runs/${run.run_id}?limit=2${cursor}`);
      names.push(...body.items.data.map(({ item }: { item: string }) => item));
      expect(body.items.data[0]).toMatchObject({ scores: {}, repeats: [] });
      if (!body.items.has_more) break;
      cursor = `&cursor=${body.items.next_cursor}`;
    }
    expect(names).toEqual(["lead-1", "lead-2", "lead-3", "lead-4", "lead-5"]);
  });

  it("are those of the set's version that was run, with a cursor that is good for this run alone", async () => {
    const dataset = await set(3);
    const [run, other] = [await newRun(app, dataset), await newRun(app, dataset)];
    await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, {
      body: { items: teamItems(["self_service"]) },
    });
    expect((await readRunOf(app, run)).items.data[0]?.expected).toEqual({ team: "enterprise" });
    const { body } = await app.call("GET", `/v1/evaluations/runs/${run.run_id}?limit=1`);
    const foreign = await app.call(
      "GET",
      `/v1/evaluations/runs/${other.run_id}?limit=1&cursor=${body.items.next_cursor}`,
    );
    expect([foreign.status, foreign.body.code]).toEqual([400, "invalid_cursor"]);
  });
});
