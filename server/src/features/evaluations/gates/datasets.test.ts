import { beforeEach, describe, expect, it } from "vitest";
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

// Gates over two sets: when a verdict is drawn, and when it is told.

const app = useApp();
const process = useWorkerProcess(app);

const allRight = skillsThat(() => ({ team: "enterprise" }));
const allWrong = skillsThat(() => ({ team: "wrong" }));
const hindered = skillsThat(() => ({ fails: "provider_unavailable" }));
/** Right in every other repeat of an item, in half of the items at a time. */
const unsure = skillsThat(({ seed, input }) => ({
  team: (seed + Number(String(input.lead_id).slice(3))) % 2 === 0 ? "enterprise" : "wrong",
}));
const work = (run: EvaluationRun, skills = allRight) => runJobOf(process, skills)(app, run);
const gate = async (datasets: readonly string[], more: object = {}) =>
  setGateOf(app, {
    datasets,
    scorers: [{ scorer: await sameTeam(app) }],
    floor: 0,
    repeats: 1,
    max_repeats: 1,
    ...more,
  });
const runOf = async (version: number, dataset: string): Promise<EvaluationRun> =>
  (await app.call("GET", `/v1/evaluations/runs?dataset=${dataset}&version=${version}`)).body.data[0];
/** The verdicts that subscribers were told of a run. */
const told = async (...runs: EvaluationRun[]) => {
  const sql =
    "select body::json->>'verdict' as verdict from events where type = 'evaluation.completed' and body like $1 order by id";
  const of = async ({ run_id }: EvaluationRun) =>
    (await app.pool.query(sql, [`%${run_id}%`])).rows.map(({ verdict }) => verdict);
  return Promise.all(runs.map(of));
};

let n = 0;
let candidate: number;
let sets: readonly [string, string];
const started = async (version: number) =>
  Promise.all([newRun(app, sets[0], { version }), newRun(app, sets[1], { version })]);
beforeEach(async () => {
  const set = (items: number) => newDataset(app, teamItems(Array<string>(items).fill("enterprise")));
  sets = [await set(60), await set(60)];
  candidate = await newVersion(app, `A description for sets ${++n}.`);
});

describe("the end of a run", () => {
  it("is told once, with the verdict that the last of the version's runs brings", async () => {
    await gate(sets);
    const [first, second] = await started(1);
    await work(second);
    expect(await told(first, second)).toEqual([[], []]);
    await work(first);
    expect(await told(first, second)).toEqual([["open"], ["open"]]);
  });

  it("is told with the verdict also where runs of the deployed version end one after the other", async () => {
    await gate(sets);
    const [first, second] = await started(candidate);
    await work(second);
    await work(first);
    await work(await runOf(1, sets[0]));
    expect(await told(first, second)).toEqual([[], []]);
    await work(await runOf(1, sets[1]));
    expect(await told(first, second)).toEqual([["open"], ["open"]]);
  });

  it("is told once though the gate asks for more repeats of all of them", async () => {
    await gate(sets, { floor: 0.5, max_repeats: 2 });
    const [first, second] = await started(1);
    for (const run of [first, second]) await work(run, unsure);
    expect(await readRunOf(app, first)).toMatchObject({ state: "queued", repeats: 2 });
    await work(first, unsure);
    expect(await told(first, second)).toEqual([[], []]);
    await work(second, unsure);
    expect(await told(first, second)).toEqual([["inconclusive"], ["inconclusive"]]);
    expect(await readRunOf(app, second)).toMatchObject({ repeats: 2, decision: { look: 2, repeats: 2 } });
  });

  it("is told without a verdict where the run of the other set came to nothing", async () => {
    await gate(sets);
    const [first, second] = await started(1);
    await work(first);
    await work(second, hindered);
    expect(await told(first, second)).toEqual([[null], [null]]);
  });

  it("is told by a gate that is set meanwhile and judges by it", async () => {
    await gate(sets);
    const [first] = await started(1);
    await work(first);
    await gate([sets[0]]);
    expect(await told(first)).toEqual([["open"]]);
  });
});

describe("while a run over another set is under way", () => {
  it("a version keeps its verdict, which all its runs over both sets change together", async () => {
    await gate(sets, { floor: 0.8 });
    for (const run of await started(1)) await work(run);
    const [first, second] = await started(1);
    await work(first, allWrong);
    expect(await readGateOf(app, 1)).toMatchObject({ state: "open" });
    expect(await told(first, second)).toEqual([[], []]);
    await work(second, allWrong);
    expect(await readGateOf(app, 1)).toMatchObject({
      runs: [first.run_id, second.run_id].sort(),
      decision: { scorers: [{ score: { mean: 0.5 } }] },
    });
    expect(await told(first, second)).toEqual([["failed"], ["failed"]]);
  });

  it("a version that has failed stays so, however often it is run again", async () => {
    await gate(sets, { floor: 0.8 });
    const [right, wrong] = await started(1);
    await work(right);
    await work(wrong, allWrong);
    expect(await readGateOf(app, 1)).toMatchObject({ state: "failed" });
    for (const run of await started(1)) await work(run);
    expect(await readGateOf(app, 1)).toMatchObject({ state: "failed", decision: { next: null } });
  });
});

it("a gate that is set while the deployed version's run grows for a comparison judges by it at its end", async () => {
  const [dataset] = sets;
  await gate([dataset], { max_repeats: 2 });
  const live = await newRun(app, dataset);
  await work(live);
  const run = await newRun(app, dataset, { version: candidate });
  await work(
    run,
    skillsThat(({ input }) => ({ team: Number(String(input.lead_id).slice(3)) <= 1002 ? "wrong" : "enterprise" })),
  );
  expect(await readRunOf(app, live)).toMatchObject({ state: "queued", repeats: 2 });
  await gate([dataset], { floor: 0.1, max_repeats: 2 });
  expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
  await work(live);
  expect(await readGateOf(app, 1)).toMatchObject({ state: "open", runs: [live.run_id] });
  expect(await told(live)).toEqual([["open"]]);
});
