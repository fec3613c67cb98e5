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

const app = useApp();
const process = useWorkerProcess(app);

/** Skills that are right in so many of the items: the first ones are wrong. */
const wrongFirst = (wrong: number) =>
  skillsThat(({ input }) => ({
    team: Number(String(input.lead_id).slice(3)) - 1000 <= wrong ? "wrong" : "enterprise",
  }));
const allRight = wrongFirst(0);
const work = (run: EvaluationRun, skills = allRight) => runJobOf(process, skills)(app, run);
const set = (n: number, more: object = {}) => newDataset(app, teamItems(Array<string>(n).fill("enterprise"), more));
const runOf = async (versionNumber: number, dataset: string): Promise<EvaluationRun> => {
  const { body } = await app.call("GET", `/v1/evaluations/runs?dataset=${dataset}&version=${versionNumber}`);
  return body.data[0];
};
const eventTypes = async (run: EvaluationRun) =>
  (await app.pool.query("select type from events where body like $1 order by id", [`%${run.run_id}%`])).rows.map(
    ({ type }) => type,
  );
const gateOfSets = async (datasets: readonly string[], more: object = {}) =>
  setGateOf(app, {
    datasets,
    scorers: [{ scorer: await sameTeam(app) }],
    floor: 0.8,
    repeats: 1,
    max_repeats: 1,
    ...more,
  });
const gate = (dataset: string, more: object = {}) => gateOfSets([dataset], more);
const hindered = skillsThat(() => ({ fails: "provider_unavailable" }));
const stageOf = async (auditRef: string) => {
  const { body } = await app.call("GET", `/v1/audit/events/${auditRef}`);
  return body.stages.find(({ stage }: { stage: string }) => stage === "evaluation_gate");
};

describe("the verdict on a version that nothing is deployed beside", () => {
  it("is open where the floor is surely reached, and holds from the end of the run as long as the gate says", async () => {
    const dataset = await set(40);
    await gate(dataset, { lifetime_days: 10 });
    const run = await newRun(app, dataset);
    await work(run);
    const report = await readRunOf(app, run);
    expect(report).toMatchObject({
      verdict: "open",
      decision: { verdict: "open", look: 1, n: 40, scorers: [{ difference: null }] },
    });
    const shown = await readGateOf(app, 1);
    expect(shown).toMatchObject({
      state: "open",
      consequence: "allow",
      deployed: true,
      runs: [run.run_id],
      decision: report.decision,
    });
    expect(Date.parse(shown.expires_at as string) - Date.parse(report.finished_at as string)).toBe(10 * 86_400_000);
    expect(await eventTypes(run)).toEqual(["evaluation.completed"]);
    await app.app.facts.refresh();
    const { audit_ref } = await app.dispatch();
    expect(await stageOf(audit_ref)).toMatchObject({
      verdict: "allow",
      reasons: expect.arrayContaining([expect.stringContaining("open: sales")]),
    });
  });

  it("is failed where it surely is not, and says so by an event and to every call", async () => {
    const dataset = await set(40);
    await gate(dataset, { table: { failed: "deny" } });
    const run = await newRun(app, dataset);
    await work(run, wrongFirst(30));
    expect(await readRunOf(app, run)).toMatchObject({ verdict: "failed" });
    expect(await readGateOf(app, 1)).toMatchObject({
      state: "failed",
      consequence: "deny",
      reasons: [expect.stringContaining("floor")],
    });
    expect((await eventTypes(run)).sort()).toEqual(["evaluation.completed", "evaluation.gate_failed"]);
    await app.app.facts.refresh();
    const refused = await app.call("POST", "/v1/agents/sales/tasks", {
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    expect([refused.status, refused.body.code, refused.body.gate.state]).toEqual([
      409,
      "evaluation_gate_failed",
      "failed",
    ]);
  });

  it("fails by one item that must pass, whatever the others say", async () => {
    const items = [
      ...teamItems(["enterprise"], { must_pass: true }),
      ...teamItems(Array<string>(40).fill("enterprise")).slice(1),
    ];
    const dataset = await newDataset(app, items);
    await gate(dataset);
    const run = await newRun(app, dataset);
    await work(run, wrongFirst(1));
    expect(await readRunOf(app, run)).toMatchObject({
      verdict: "failed",
      decision: { reasons: [{ code: "must_pass_failed", item: "lead-1" }] },
    });
  });

  it("is inconclusive where so few items cannot tell, with what would", async () => {
    const dataset = await set(3);
    await gate(dataset);
    const run = await newRun(app, dataset);
    await work(run);
    const { decision } = await readRunOf(app, run);
    expect(decision).toMatchObject({ verdict: "inconclusive", n: 3, items_to_settle: expect.any(Number) });
    expect(await readGateOf(app, 1)).toMatchObject({ state: "inconclusive" });
  });

  it("counts items of one cluster once", async () => {
    const dataset = await set(40, { cluster: "one" });
    await gate(dataset);
    const run = await newRun(app, dataset);
    await work(run);
    expect(await readRunOf(app, run)).toMatchObject({ verdict: "inconclusive", decision: { n: 1 } });
  });
});

describe("repeats that an inconclusive verdict asks for", () => {
  it("are added by themselves, as many as the next look needs, up to what the gate allows", async () => {
    const dataset = await set(12);
    await gate(dataset, { floor: 0.5, max_repeats: 4 });
    const run = await newRun(app, dataset);
    // Each item right in every other repeat, half of them at a time: neither clearly above nor below the floor.
    const skills = skillsThat(({ seed, input }) => ({
      team: (seed + Number(String(input.lead_id).slice(3))) % 2 === 0 ? "enterprise" : "wrong",
    }));
    await work(run, skills);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "queued",
      repeats: 2,
      verdict: null,
      progress: { done: 12, total: 24 },
    });
    expect(await eventTypes(run)).toEqual([]);
    await work(run, skills);
    expect(await readRunOf(app, run)).toMatchObject({ state: "queued", repeats: 4 });
    await work(run, skills);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "completed",
      repeats: 4,
      verdict: "inconclusive",
      decision: { look: 3, repeats: 4, next: { repeats: 5 } },
    });
    expect(skills.asked).toHaveLength(48);
    expect(await eventTypes(run)).toEqual(["evaluation.completed"]);
  });

  it("keep within the run's own budget", async () => {
    const dataset = await set(12);
    await gate(dataset, { floor: 0.5, max_repeats: 5 });
    const run = await newRun(app, dataset, { budget: { items: 20 } });
    await work(run, wrongFirst(6));
    expect(await readRunOf(app, run)).toMatchObject({ state: "completed", repeats: 1, verdict: "inconclusive" });
  });

  it("are judged with what there is where their money is spent", async () => {
    const dataset = await set(12);
    await gate(dataset, { floor: 0.5, max_repeats: 5 });
    const run = await newRun(app, dataset, { budget: { usd: 0.13 } });
    await work(run, wrongFirst(6));
    expect(await readRunOf(app, run)).toMatchObject({ state: "queued", repeats: 2 });
    await runJobOf(process, wrongFirst(6), { concurrency: 1 })(app, run);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "completed",
      stopped_by: "usd",
      verdict: "inconclusive",
      progress: { done: 13 },
    });
  });
});

describe("repeats that cannot be run", () => {
  it("leave the run completed and judged by what there is", async () => {
    const dataset = await set(12);
    await gate(dataset, { floor: 0.5, max_repeats: 5 });
    const run = await newRun(app, dataset);
    await work(run, wrongFirst(6));
    await work(run, hindered);
    expect(await readRunOf(app, run)).toMatchObject({
      state: "completed",
      verdict: "inconclusive",
      failure: { code: "provider_unavailable" },
      progress: { done: 12 },
    });
  });
});

describe("the verdict on a version beside the deployed one", () => {
  let candidate: number;
  let n = 0;
  beforeEach(async () => {
    candidate = await newVersion(app, `Another description ${++n}.`);
  });

  it("waits for a run of the deployed version, which is started, and then compares item by item", async () => {
    const dataset = await set(100);
    await gate(dataset, { floor: 0 });
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    const other = await runOf(1, dataset);
    expect(await readRunOf(app, run)).toMatchObject({ state: "completed", verdict: null, waits_for: other.run_id });
    expect(other).toMatchObject({
      state: "queued",
      requested_by: "system:worker",
      note: expect.stringContaining(run.run_id),
    });
    expect(await readGateOf(app, candidate)).toMatchObject({ state: "missing" });
    await work(other);
    expect(await readRunOf(app, run)).toMatchObject({
      verdict: "open",
      waits_for: null,
      decision: { scorers: [{ difference: { mean: 0, n: 100 } }] },
    });
    expect(await readGateOf(app, candidate)).toMatchObject({ state: "open", deployed: false, runs: [run.run_id] });
  });

  it("is failed where it is surely worse, though above the floor", async () => {
    const dataset = await set(60);
    await gate(dataset, { floor: 0.5 });
    await work(await newRun(app, dataset));
    const run = await newRun(app, dataset, { version: candidate });
    await work(run, wrongFirst(12));
    const { verdict, decision } = await readRunOf(app, run);
    expect([verdict, decision?.reasons.map(({ code }) => code)]).toEqual(["failed", ["worse_than_deployed"]]);
    expect(await readGateOf(app, 1)).toMatchObject({ state: "open" });
  });

  it("grows the deployed version's run along with its own repeats, whose verdict stays what it was", async () => {
    const dataset = await set(70);
    await gate(dataset, { floor: 0, max_repeats: 2 });
    const unsure = skillsThat(({ seed, input }) => ({
      team: (seed + Number(String(input.lead_id).slice(3))) % 2 === 0 ? "enterprise" : "wrong",
    }));
    const other = await newRun(app, dataset);
    await work(other);
    const before = await readGateOf(app, 1);
    const run = await newRun(app, dataset, { version: candidate });
    await work(run, wrongFirst(2));
    expect([(await readRunOf(app, run)).state, (await readRunOf(app, other)).state]).toEqual(["queued", "queued"]);
    expect(await readRunOf(app, other)).toMatchObject({ repeats: 2, verdict: "open" });
    await work(run, wrongFirst(2));
    expect(await readRunOf(app, run)).toMatchObject({
      state: "completed",
      repeats: 2,
      verdict: null,
      waits_for: other.run_id,
    });
    await work(other, unsure);
    expect(await readRunOf(app, run)).toMatchObject({
      verdict: "open",
      waits_for: null,
      decision: { look: 2, repeats: 2 },
    });
    expect(await readGateOf(app, 1)).toEqual(before);
    expect([await eventTypes(run), await eventTypes(other)]).toEqual([
      ["evaluation.completed"],
      ["evaluation.completed"],
    ]);
  });

  it("counts every run of it together, with as many of the deployed version, so that running it again cannot open the gate", async () => {
    const dataset = await set(60);
    await gate(dataset, { floor: 0, max_repeats: 1 });
    const other = await newRun(app, dataset);
    await work(other);
    const first = await newRun(app, dataset, { version: candidate });
    await work(first, wrongFirst(3));
    expect(await readRunOf(app, first)).toMatchObject({
      verdict: "inconclusive",
      decision: { looks: [{ repeats: 1 }] },
    });
    const again = await newRun(app, dataset, { version: candidate });
    await work(again);
    expect(await readRunOf(app, again)).toMatchObject({ verdict: null, waits_for: other.run_id });
    await work(other);
    expect(await readRunOf(app, again)).toMatchObject({
      verdict: "inconclusive",
      decision: {
        looks: [{ repeats: 1 }, { repeats: 2 }],
        scorers: [{ difference: { mean: expect.closeTo(-3 / 120) } }],
      },
    });
  });

  it("counts runs over earlier versions of the set too, for the items that are still the same", async () => {
    const dataset = await set(60);
    await gate(dataset, { floor: 0.8 });
    await work(await newRun(app, dataset), wrongFirst(40));
    expect(await readGateOf(app, 1)).toMatchObject({ state: "failed" });
    const items = teamItems(["enterprise"]).map((item) => ({ ...item, item: "one-more" }));
    expect((await app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body: { items } })).status).toBe(201);
    await gate(dataset, { floor: 0.8 });
    await work(await newRun(app, dataset));
    expect(await readGateOf(app, 1)).toMatchObject({
      state: "failed",
      decision: { looks: [{ repeats: 1, verdict: "failed" }] },
    });
  });

  it("is drawn without comparison, and so not open, where the run of the deployed version came to nothing", async () => {
    const dataset = await set(60);
    await gate(dataset, { floor: 0 });
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    await work(await runOf(1, dataset), hindered);
    expect(await readRunOf(app, run)).toMatchObject({
      verdict: "inconclusive",
      waits_for: null,
      decision: { reasons: [{ code: "not_compared" }] },
    });
  });

  it("is not open either where it could be compared over one of the gate's sets only", async () => {
    const sets = [await set(100), await set(60)];
    await gateOfSets(sets, { floor: 0 });
    for (const dataset of sets) await work(await newRun(app, dataset, { version: candidate }));
    const [first, second] = [await runOf(1, sets[0] as string), await runOf(1, sets[1] as string)];
    await work(first);
    await work(second, hindered);
    const run = await runOf(candidate, sets[1] as string);
    const text = expect.stringContaining(`${run.dataset}: the deployed version has no finished run`);
    expect(await readRunOf(app, run)).toMatchObject({
      verdict: "inconclusive",
      decision: {
        reasons: [{ code: "not_compared", text }],
        items_to_settle: null,
        scorers: [{ difference: { n: 100 } }],
      },
    });
    expect(await readGateOf(app, candidate)).toMatchObject({ state: "inconclusive" });
  });

  it("asks for the floor alone where the deployed version lacks the skill", async () => {
    const dataset = await set(40);
    await gate(dataset);
    await app.pool.query(
      `update agent_versions set definition = jsonb_set(definition, '{skills}', '[]') where agent = 'sales' and number = 1`,
    );
    const run = await newRun(app, dataset, { version: candidate });
    await work(run);
    await app.pool.query(
      `update agent_versions v set definition = jsonb_set(v.definition, '{skills}', n.definition->'skills') from agent_versions n
       where v.agent = 'sales' and v.number = 1 and n.agent = 'sales' and n.number = $1`,
      [candidate],
    );
    expect(await readRunOf(app, run)).toMatchObject({ verdict: "open", decision: { scorers: [{ difference: null }] } });
  });

  it("needs runs of all the gate's sets, over whole sets", async () => {
    const [first, second] = [await set(40), await set(40)];
    const scorers = [{ scorer: await sameTeam(app) }];
    await setGateOf(app, { datasets: [first, second], scorers, floor: 0.8, repeats: 1, max_repeats: 1 });
    await work(await newRun(app, first));
    expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
    await work(await newRun(app, second, { budget: { items: 39 } }));
    expect(await readGateOf(app, 1)).toMatchObject({ state: "missing" });
    const last = await newRun(app, second);
    await work(last);
    expect(await readGateOf(app, 1)).toMatchObject({
      state: "open",
      decision: { n: 80 },
      runs: [expect.any(String), last.run_id],
    });
  });
});

it("takes several scorers together, each by its own floor, and says which one speaks against the version", async () => {
  const dataset = await set(60);
  const body = {
    kind: "contains",
    pointer: "/team",
    parameters: { values: ["enterprise"] },
    samples: [{ output: { team: "xenterprise" }, score: 1 }],
  };
  await app.call("PUT", "/v1/evaluations/scorers/has-a", { body });
  const scorers = [
    { scorer: await sameTeam(app), floor: 0.1 },
    { scorer: "has-a", floor: 0.9 },
  ];
  await gate(dataset, { scorers });
  const run = await newRun(app, dataset, { scorers: ["same-team"] });
  await work(run, wrongFirst(30));
  const { verdict, decision } = await readRunOf(app, run);
  expect([verdict, decision?.reasons.map(({ code, scorer }) => `${code} ${scorer}`)]).toEqual([
    "failed",
    ["below_floor has-a"],
  ]);
});

it("does not open without a scorer whose pinned version is lost", async () => {
  const dataset = await set(40);
  await gate(dataset);
  await app.call("PUT", "/v1/evaluations/scorers/other-place", {
    body: {
      kind: "exact",
      pointer: "/team",
      samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
    },
  });
  await gate(dataset, { scorers: [{ scorer: "same-team" }, { scorer: "other-place" }] });
  await app.pool.query("delete from scorers where name = 'other-place'");
  const run = await newRun(app, dataset, { scorers: ["same-team"] });
  await work(run);
  expect(await readGateOf(app, 1)).toMatchObject({
    state: "inconclusive",
    reasons: [expect.stringContaining("other-place scores no item"), expect.any(String)],
  });
});
