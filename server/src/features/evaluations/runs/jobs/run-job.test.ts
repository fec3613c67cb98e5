import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { newDataset, newRun, readRunOf, runJobOf, skillsThat, teamItems } from "../../testing.ts";
import { runSweep } from "./run-job.ts";

const app = useApp();
const process = useWorkerProcess(app);
const teams = { ld_1001: "enterprise", ld_1002: "midmarket", ld_1003: "partners" } as Readonly<Record<string, string>>;
const right = ({ input }: { input: Readonly<Record<string, unknown>> }) => ({
  team: teams[input.lead_id as string] as string,
});
const newSet = () => newDataset(app, teamItems(["enterprise", "midmarket", "partners"]));
const rowOf = async (id: string) => (await app.pool.query("select * from evaluation_runs where id = $1", [id])).rows[0];
const lapse = (id: string) => app.pool.query("update evaluation_runs set lease_until = now() where id = $1", [id]);
const eventsOf = async (id: string) =>
  (await app.pool.query("select body from events where body like $1 order by id", [`%${id}%`])).rows.map(({ body }) =>
    JSON.parse(body),
  );

describe("carrying a run out", () => {
  it("runs each item as often as told, with a seed of its own, scores it, and sums up", async () => {
    const run = await newRun(app, await newSet(), { repeats: 2, seed: 40 });
    const skills = skillsThat((request) => (request.input.lead_id === "ld_1002" ? { team: "wrong" } : right(request)));
    await runJobOf(process, skills)(app, run);
    const report = await readRunOf(app, run);
    expect(report).toMatchObject({
      state: "completed",
      progress: { done: 6, failed: 0, total: 6 },
      usage: { steps: 12, tokens: 60 },
      stopped_by: null,
      failure: null,
      started_at: expect.any(String),
      finished_at: expect.any(String),
      figures: [{ scorer: "same-team", items: 3, repeats: 2, score: { n: 3 } }],
    });
    expect(report.usage.cost_usd).toBeCloseTo(0.06);
    expect(report.figures[0]?.score.mean).toBeCloseTo(2 / 3);
    expect(
      report.items.data.map(({ item, scores, repeats }) => [
        item,
        scores["same-team"],
        repeats.map(({ repeat }) => repeat),
      ]),
    ).toEqual([
      ["lead-1", 1, [0, 1]],
      ["lead-2", 0, [0, 1]],
      ["lead-3", 1, [0, 1]],
    ]);
    expect(report.items.data[1]).toMatchObject({
      input: { lead_id: "ld_1002" },
      expected: { team: "midmarket" },
      repeats: [{ output: { team: "wrong" }, scores: { "same-team": 0 } }, {}],
    });
    expect(skills.asked.map(({ seed }) => seed).sort()).toEqual([40, 40, 40, 41, 41, 41]);
    expect(skills.asked[0]).toMatchObject({ scope: app.scope, versionId: run.version_id, skill: "route_lead" });
    expect(await eventsOf(run.run_id)).toEqual([
      {
        event: "evaluation.completed",
        run_id: run.run_id,
        agent: "sales",
        version: 1,
        dataset: run.dataset,
        state: "completed",
        verdict: null,
        scores: { "same-team": expect.closeTo(2 / 3) },
      },
    ]);
  });

  it("scores 0 what the version itself makes fail, and says why", async () => {
    const run = await newRun(app, await newSet());
    const skills = skillsThat((request) =>
      request.input.lead_id === "ld_1003" ? { fails: "output_invalid" } : right(request),
    );
    await runJobOf(process, skills)(app, run);
    const { state, progress, items } = await readRunOf(app, run);
    expect([state, progress.failed]).toEqual(["completed", 1]);
    expect(items.data[2]).toMatchObject({
      scores: { "same-team": 0 },
      repeats: [{ output: null, failure: { code: "output_invalid", detail: "arranged" } }],
    });
  });

  it("tries an item again where something else is in the way, and ends as failed, without judging, where it stays", async () => {
    const run = await newRun(app, await newSet());
    let tried = 0;
    await runJobOf(
      process,
      skillsThat((request) => (++tried < 3 ? { fails: "provider_unavailable" } : right(request))),
      { concurrency: 1 },
    )(app, run);
    expect(await readRunOf(app, run)).toMatchObject({ state: "completed", progress: { done: 3, failed: 0 } });
    const hindered = await newRun(app, await newSet());
    await runJobOf(
      process,
      skillsThat(() => ({ fails: "policy_blocked" })),
    )(app, hindered);
    expect(await readRunOf(app, hindered)).toMatchObject({
      state: "failed",
      failure: { code: "policy_blocked", detail: "arranged" },
      progress: { done: 0 },
      verdict: null,
    });
    expect(await eventsOf(hindered.run_id)).toMatchObject([
      { event: "evaluation.completed", state: "failed", scores: {} },
    ]);
  });

  it("becomes evidence of the version's skill, one item each, in this environment", async () => {
    const run = await newRun(app, await newSet(), { repeats: 2 });
    let n = 0;
    await runJobOf(
      process,
      skillsThat((request) => (request.input.lead_id === "ld_1001" && ++n === 1 ? { team: "wrong" } : right(request))),
    )(app, run);
    const { rows } = await app.pool.query(
      "select environment, version_id, skill, id, source, origin, outcome, weight, signals from trust_judgements where id like $1 order by id",
      [`${run.dataset_id}/%`],
    );
    const row = {
      environment: "development",
      version_id: run.version_id,
      skill: "route_lead",
      source: "evaluation",
      origin: "evaluation",
      weight: 1,
      signals: "{}",
    };
    expect(rows).toEqual([
      { ...row, id: `${run.dataset_id}/lead-1`, outcome: 0.5 },
      { ...row, id: `${run.dataset_id}/lead-2`, outcome: 1 },
      { ...row, id: `${run.dataset_id}/lead-3`, outcome: 1 },
    ]);
  });
});

describe("a set that a version runs again", () => {
  const evidenceOf = async ({ dataset_id, version_id }: { dataset_id: string; version_id: string }) => {
    const values = [version_id, dataset_id];
    const { rows } = await app.pool.query(
      "select outcome from trust_judgements where version_id = $1 and id like $2 || '/%' order by id",
      values,
    );
    return rows.map(({ outcome }) => outcome);
  };

  it("is no further evidence: the newest run's takes the place of the one before", async () => {
    const dataset = await newSet();
    const first = await newRun(app, dataset);
    await runJobOf(process, skillsThat(right))(app, first);
    expect(await evidenceOf(first)).toEqual([1, 1, 1]);
    const wrongOnce = skillsThat((request) =>
      request.input.lead_id === "ld_1002" ? { team: "wrong" } : right(request),
    );
    for (let n = 0; n < 3; n++) await runJobOf(process, wrongOnce)(app, await newRun(app, dataset));
    expect(await evidenceOf(first)).toEqual([1, 0, 1]);
  });

  it("leaves what other sets with items of the same names have shown", async () => {
    const [first, second] = [await newRun(app, await newSet()), await newRun(app, await newSet())];
    for (const run of [first, second]) await runJobOf(process, skillsThat(right))(app, run);
    expect([await evidenceOf(first), await evidenceOf(second)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });
});

describe("a run with a budget", () => {
  it("begins no item once the money is spent, and says so", async () => {
    const run = await newRun(app, await newSet(), { repeats: 4, budget: { usd: 0.035 } });
    await runJobOf(process, skillsThat(right), { concurrency: 1 })(app, run);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "completed",
      stopped_by: "usd",
      progress: { done: 4, total: 12 },
    });
  });

  it("counts what tries used up that came to nothing, and stops by it", async () => {
    const run = await newRun(app, await newSet(), { budget: { usd: 0.035 } });
    let tried = 0;
    const skills = skillsThat((request) => (++tried < 3 ? { fails: "provider_unavailable" } : right(request)));
    await runJobOf(process, skills, { concurrency: 1 })(app, run);
    const { stopped_by, progress, usage, items } = await readRunOf(app, run);
    expect({ stopped_by, progress, usage }).toMatchObject({
      stopped_by: "usd",
      progress: { done: 2 },
      usage: { steps: 8, tokens: 40, cost_usd: expect.closeTo(0.04) },
    });
    expect(items.data[0]?.repeats[0]).toMatchObject({ steps: 6, tokens: 30, cost_usd: expect.closeTo(0.03), ms: 1 });
  });

  it("runs so many items, the whole set before any repeat", async () => {
    const run = await newRun(app, await newSet(), { repeats: 4, budget: { items: 4 } });
    await runJobOf(process, skillsThat(right))(app, run);
    const { stopped_by, items } = await readRunOf(app, run);
    expect([stopped_by, ...items.data.map(({ repeats }) => repeats.length)]).toEqual(["items", 2, 1, 1]);
  });
});

describe("a run whose worker is lost", () => {
  it("goes on with another one, which repeats no finished item", async () => {
    const run = await newRun(app, await newSet(), { repeats: 2 });
    const hung = Promise.withResolvers<never>();
    const atWork = Promise.withResolvers<void>();
    let n = 0;
    const lost = skillsThat((request) => {
      if (++n <= 2) return right(request);
      atWork.resolve();
      return hung.promise;
    });
    const first = runJobOf(process, lost, { concurrency: 1 })(app, run);
    await atWork.promise;
    const second = skillsThat(right);
    await runJobOf(process, second)(app, run); // it is taken: nothing to do
    expect(second.asked).toEqual([]);
    await lapse(run.run_id);
    await runJobOf(process, second)(app, run);
    expect(second.asked).toHaveLength(4);
    const done = await readRunOf(app, run);
    expect(done).toMatchObject({ state: "completed", progress: { done: 6 } });
    hung.resolve({ team: "too late" } as never);
    await first; // it finds itself lost, and that is no fault
    expect(await readRunOf(app, run)).toEqual(done);
  });

  it("is broken off where it runs as soon as its lease cannot be renewed", async () => {
    const run = await newRun(app, await newSet());
    const atWork = Promise.withResolvers<void>();
    const skills = skillsThat(({ signal }) => {
      atWork.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const first = runJobOf(process, skills, { renewMs: 5 })(app, run);
    await atWork.promise;
    await app.pool.query("update evaluation_runs set attempt = attempt + 1 where id = $1", [run.run_id]);
    await first;
    expect(await rowOf(run.run_id)).toMatchObject({ state: "running" });
  });

  it("waits after an error of the service, which is no lost worker, and is given up only after forty in a row", async () => {
    const run = await newRun(app, await newSet());
    const broken = skillsThat(() => Promise.reject(new Error("the runner broke")));
    const failing = () => expect(runJobOf(process, broken)(app, run)).rejects.toThrow("the runner broke");
    for (let attempt = 1; attempt <= 6; attempt++) {
      await failing();
      await runJobOf(process, broken)(app, run); // it waits: nothing to do
      await lapse(run.run_id);
    }
    expect(await rowOf(run.run_id)).toMatchObject({ state: "running", attempt: 6, tries: 0, faults: 6 });
    await process.sweeperWith([runSweep]).sweep();
    expect(await rowOf(run.run_id)).toMatchObject({ state: "running" });
    await app.pool.query("update evaluation_runs set faults = 39 where id = $1", [run.run_id]);
    await failing();
    await lapse(run.run_id);
    await process.sweeperWith([runSweep]).sweep();
    expect(process.faults).toEqual([]);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "failed",
      failure: { code: "worker_lost", detail: expect.stringContaining("failed 40 times in a row") },
    });
  });

  it("is given up although another one, which is older, cannot be", async () => {
    const [faulty, run] = [await newRun(app, await newSet()), await newRun(app, await newSet())];
    await app.pool.query(
      `update evaluation_runs set state = 'running', tries = 5, lease_until = now(), scorers = case when id = $1 then '0' else scorers end
       where id = any($2)`,
      [faulty.run_id, [faulty.run_id, run.run_id]],
    );
    await process.sweeperWith([runSweep]).sweep();
    const told = process.faults.splice(0).map((fault) => String((fault as { cause?: unknown }).cause));
    expect(told).toContain("AggregateError: 1 runs of datasets could not be given up");
    expect([(await rowOf(faulty.run_id)).state, (await rowOf(run.run_id)).state]).toEqual(["running", "failed"]);
    await app.pool.query("update evaluation_runs set state = 'failed' where id = $1", [faulty.run_id]);
  });

  it("is found by the sweep where its wake-up was lost", async () => {
    const run = await newRun(app, await newSet());
    const jobs = () =>
      app.pool.query("select 1 from graphile_worker._private_jobs where payload->>'run' = $1", [run.run_id]);
    await app.pool.query("delete from graphile_worker._private_jobs where payload->>'run' = $1", [run.run_id]);
    await app.pool.query("update evaluation_runs set created_at = now() - interval '10 seconds' where id = $1", [
      run.run_id,
    ]);
    await process.sweeperWith([runSweep]).sweep();
    expect((await jobs()).rowCount).toBe(1);
  });
});
