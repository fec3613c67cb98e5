import { beforeEach, describe, expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import type { EvaluationRun } from "../schemas.ts";
import {
  newDataset,
  newRun,
  newVersion,
  readGateOf,
  readRunOf,
  runJobOf,
  sameTeam,
  setGateOf,
  skillsThat,
  teamItems,
} from "../testing.ts";

// What counts as evidence for a gate, and for how long.

const app = useApp();
const process = useWorkerProcess(app);
const day = 86_400_000;

const allRight = skillsThat(() => ({ team: "enterprise" }));
const allWrong = skillsThat(() => ({ team: "wrong" }));
const work = (run: EvaluationRun, skills = allRight) => runJobOf(process, skills)(app, run);
const set = (n = 40) => newDataset(app, teamItems(Array<string>(n).fill("enterprise")));
const gate = async (dataset: string, more: object = {}) =>
  setGateOf(app, {
    datasets: [dataset],
    scorers: [{ scorer: await sameTeam(app) }],
    floor: 0.8,
    repeats: 1,
    max_repeats: 1,
    ...more,
  });
const runsOf = async (version: number, dataset: string): Promise<EvaluationRun[]> =>
  (await app.call("GET", `/v1/evaluations/runs?dataset=${dataset}&version=${version}`)).body.data;
/** As if a run had ended so many days earlier. */
const age = (run: { run_id: string }, days: number) =>
  app.pool.query(
    "update evaluation_runs set finished_at = finished_at - $2 * interval '1 day', measured_at = measured_at - $2 * interval '1 day' where id = $1",
    [run.run_id, days],
  );
const measured = async (run: { run_id: string }): Promise<number> =>
  (
    await app.pool.query("select measured_at from evaluation_runs where id = $1", [run.run_id])
  ).rows[0].measured_at.getTime();
const expires = async (version: number): Promise<number> =>
  Date.parse((await readGateOf(app, version)).expires_at as string);

let n = 0;
let candidate: number;
beforeEach(async () => {
  candidate = await newVersion(app, `A description of evidence ${++n}.`);
});

describe("a run that a gate judges by", () => {
  it("is over the dataset version that the gate pins, also where one over a newer version ends later", async () => {
    const dataset = await set();
    await gate(dataset);
    const items = teamItems(["enterprise"], { item: "more" });
    await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body: { items } });
    const pinned = await newRun(app, dataset);
    await work(pinned, allWrong);
    expect(await readRunOf(app, pinned)).toMatchObject({ dataset_version: 1, verdict: "failed" });
    const newer = await newRun(app, dataset, { dataset_version: 2 });
    await work(newer);
    expect(await readRunOf(app, newer)).toMatchObject({ state: "completed", verdict: null, waits_for: null });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "failed", runs: [pinned.run_id] });
  });

  it("is over the version that the gate pins now, so that nobody gets around items that came since", async () => {
    const dataset = await set();
    await gate(dataset);
    const items = teamItems(["midmarket"], { item: "incident", must_pass: true });
    const before = await newRun(app, dataset);
    await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body: { items } });
    await gate(dataset, { floor: 0.7 });
    const chosen = await newRun(app, dataset, { dataset_version: 1, version: candidate });
    for (const run of [chosen, before]) await work(run);
    expect(await readRunOf(app, chosen)).toMatchObject({ state: "completed", verdict: null, waits_for: null });
    for (const version of [1, candidate]) expect(await readGateOf(app, version)).toMatchObject({ state: "missing" });
  });

  it("may begin while items are being added, over the version before them", async () => {
    const dataset = await set();
    await gate(dataset);
    const holder = await app.pool.connect();
    await holder.query("begin");
    await holder.query("select from datasets where name = $1 for update", [dataset]);
    const adding = app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, {
      body: { items: teamItems(["midmarket"], { item: "late" }) },
    });
    await vi.waitFor(async () => {
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%datasets%'";
      expect((await app.pool.query(waiting)).rowCount).toBe(1);
    });
    const run = await newRun(app, dataset);
    await holder.query("commit");
    holder.release();
    expect((await adding).status).toBe(201);
    await work(run);
    expect(await readRunOf(app, run)).toMatchObject({ dataset_version: 1, verdict: "open" });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "open", runs: [run.run_id] });
  });

  it("has as many repeats as the gate asks for: one with fewer neither opens it nor takes the place of one that has them", async () => {
    const dataset = await set();
    await gate(dataset, { repeats: 2, max_repeats: 2 });
    const thin = await newRun(app, dataset, { repeats: 1 });
    await work(thin);
    expect(await readRunOf(app, thin)).toMatchObject({ state: "completed", verdict: null });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
    const whole = await newRun(app, dataset);
    await work(whole, allWrong);
    await work(await newRun(app, dataset, { repeats: 1 }));
    expect(await readGateOf(app, 1)).toMatchObject({ state: "failed", runs: [whole.run_id] });
  });

  it("is judged no more by a gate that is set to ask for more repeats than it has, or for a shorter life", async () => {
    const dataset = await set();
    await gate(dataset);
    const run = await newRun(app, dataset);
    await work(run);
    await gate(dataset, { repeats: 2, max_repeats: 2 });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
    await age(run, 8);
    await gate(dataset, { lifetime_days: 9 });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "open" });
    await gate(dataset, { lifetime_days: 7 });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
  });
});

describe("a run of the deployed version", () => {
  it("limits how long a verdict on another one holds", async () => {
    const dataset = await set(100);
    await gate(dataset, { lifetime_days: 10 });
    const live = await newRun(app, dataset);
    await work(live);
    await age(live, 4);
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    expect(await readRunOf(app, run)).toMatchObject({ verdict: "open" });
    expect(await expires(candidate)).toBe((await measured(live)) + 10 * day);
  });

  it("is done again where it is older than evidence may be", async () => {
    const dataset = await set(100);
    await gate(dataset, { lifetime_days: 10 });
    const live = await newRun(app, dataset);
    await work(live);
    await age(live, 11);
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    const [fresh, ...others] = await runsOf(1, dataset);
    expect(others.map(({ run_id }) => run_id)).toEqual([live.run_id]);
    expect(await readRunOf(app, run)).toMatchObject({ verdict: null, waits_for: fresh?.run_id });
    await work(fresh as EvaluationRun);
    expect(await readRunOf(app, run)).toMatchObject({ verdict: "open", waits_for: null });
  });

  it("is done again where it has fewer repeats than the gate asks for", async () => {
    const dataset = await set(100);
    await gate(dataset, { repeats: 2, max_repeats: 2 });
    await work(await newRun(app, dataset, { repeats: 1 }));
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    const [fresh] = await runsOf(1, dataset);
    expect(fresh).toMatchObject({ state: "queued", repeats: 2 });
    expect(await readRunOf(app, run)).toMatchObject({ waits_for: fresh?.run_id });
  });
});

it("repeats that are added make what a run has put out before no younger", async () => {
  const dataset = await set(12);
  await gate(dataset, { floor: 0.5, max_repeats: 2, lifetime_days: 10 });
  const run = await newRun(app, dataset);
  const unsure = skillsThat(({ seed, input }) => ({
    team: (seed + Number(String(input.lead_id).slice(3))) % 2 === 0 ? "enterprise" : "wrong",
  }));
  await work(run, unsure);
  expect(await readRunOf(app, run)).toMatchObject({ state: "queued", repeats: 2 });
  await age(run, 3);
  const first = await measured(run);
  await work(run, unsure);
  expect(await readRunOf(app, run)).toMatchObject({ state: "completed", repeats: 2 });
  expect([await measured(run), await expires(1)]).toEqual([first, first + 10 * day]);
});
