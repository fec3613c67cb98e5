import { describe, expect, it } from "vitest";
import { createTrustScorer, startTrustConfig } from "../../../kernel/trust/index.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { evidenceSweep } from "../evidence-sweep.ts";
import { deployedAgent } from "../testing.ts";

const app = useApp();
const worker = useWorkerProcess(app);

interface Item {
  version: string;
  outcome: number;
  channel?: string;
  skill?: string;
  hours?: number;
}
let items = 0;

/** Evidence as calls record it, taken up by the sweeper and known to the service. */
async function win(...won: Item[]): Promise<void> {
  for (const { version, outcome, channel = "runs", skill = "answer", hours = 0 } of won) {
    await app.pool.query(
      `with one as (insert into trust_evidence (organization, environment, version_id, skill, id, channel, outcome, observed_at)
         values ('default', 'development', $1, $2, $3, $4, $5::float8, now() - $6 * interval '1 hour') returning *)
       insert into trust_evidence_new (organization, environment, version_id, skill, channel, items, successes, failures, observed_at, created_at)
       select organization, environment, version_id, skill, channel, 1, outcome, 1 - outcome, observed_at, now() - interval '2 seconds' from one`,
      [version, skill, `item-${++items}`, channel, outcome, hours],
    );
  }
  await sweep();
}
async function sweep(): Promise<void> {
  await worker.sweeperWith([evidenceSweep]).sweep();
  expect(worker.faults).toEqual([]);
  await app.app.facts.refresh();
  await worker.refresh();
}
const read = async (agent: string, query = "", environment: "development" | "staging" = "development") =>
  (await app.call("GET", `/v1/agents/${agent}/trust${query}`, { key: "viewer", environment })).body;
const idsOf = async (agent: string): Promise<string[]> =>
  (await app.pool.query("select id from agent_versions where agent = $1 order by number", [agent])).rows.map(({ id }) => id);

describe("an agent's trust", () => {
  it("is that of the prior where nothing was observed, and says what would raise it", async () => {
    await deployedAgent(app, "blank", { versions: 1, deploy: [1] });
    const trust = await read("blank");
    expect(trust).toMatchObject({ agent: "blank", version: 1, live: true, score: 0.5, low: 0.1958, high: 0.8042, formula: "trust-2" });
    expect(trust.skills).toHaveLength(1);
    expect(trust.skills[0]).toMatchObject({ skill: "answer", score: 0.5, from_versions: [] });
    expect(trust.skills[0].raise[0]).toMatchObject({ kind: "evidence", items: 10, gain: expect.any(Number) });
    expect(trust.skills[0].raise[0].score).toBeCloseTo(0.5 + trust.skills[0].raise[0].gain, 4);
    expect(trust.reliability).toMatchObject({ n: 0, ece: null, brier: null });
    expect(trust.reliability.bins).toHaveLength(10);
    expect(trust.calibration).toMatchObject({ a: 1, b: 0, adopted: false, labels: 0, labels_needed: 200, fitted_at: null });
    const today = new Date().toISOString().slice(0, 10);
    expect(trust.history).toEqual([{ date: today, score: 0.5, low: 0.1958, high: 0.8042, items: 0 }]);
  });

  it("stands on the evidence of the environment, explained part by part, the same that a task starts with", async () => {
    await deployedAgent(app, "proven", { versions: 1, deploy: [1] });
    const [version = ""] = await idsOf("proven");
    await win(
      ...Array.from({ length: 8 }, () => ({ version, outcome: 1 })),
      { version, outcome: 0 },
      { version, outcome: 1, channel: "approvals" },
    );
    const trust = await read("proven");
    const [skill] = trust.skills;
    const evidence = {
      as_of: 0,
      sums: { evaluations: { S: 0, F: 0 }, runs: { S: 8, F: 1 }, approvals: { S: 1, F: 0 }, groundedness: { S: 0, F: 0 } },
    };
    const expected = createTrustScorer(startTrustConfig).score(evidence, {}, 0);
    expect([skill.score, skill.low, skill.high]).toEqual([expected.score, expected.low, expected.high]);
    expect(skill.parts.map(({ name, value }: { name: string; value: number }) => [name, value])).toEqual(
      expected.parts.map(({ name, value }) => [name, value]),
    );
    expect(skill.evidence).toContainEqual({ channel: "runs", items: 9, successes: 8, failures: 1, weight: 0.5, cap: 60 });
    expect(skill.from_versions).toEqual([{ version: 1, version_id: version, change: "none", counts: 1, items: 10 }]);
    expect(trust.score).toBe(expected.score);
    const task = await app.call("POST", "/v1/agents/proven/tasks", { body: { task: "answer", question: "?", require_approval: true } });
    expect(task.body.trust_score).toBe(expected.score);
    expect((await app.call("GET", `/v1/tasks/${task.body.task_id}`)).body.trust.digest).toBe(skill.digest);
    expect((await read("proven", "", "staging")).score).toBe(0.5);
  });

  it("is of the version that is asked for, with what earlier ones won at what it counts there", async () => {
    await deployedAgent(app, "heirs", { versions: 2, deploy: [1] });
    const [first = "", second = ""] = await idsOf("heirs");
    await app.pool.query("update skill_prints set behaviour = 'other' where version_id = $1", [second]);
    await win(...Array.from({ length: 10 }, () => ({ version: first, outcome: 1 })));
    const [live, newest] = [await read("heirs"), await read("heirs", "?version=2")];
    expect([live.version, live.live, newest.version, newest.live]).toEqual([1, true, 2, false]);
    expect(newest.skills[0].evidence).toContainEqual(expect.objectContaining({ channel: "runs", items: 10, successes: 5 }));
    expect(newest.skills[0].from_versions).toEqual([{ version: 1, version_id: first, change: "prompt_or_tool", counts: 0.5, items: 10 }]);
    expect(newest.score).toBeGreaterThan(0.5);
    expect(newest.score).toBeLessThan(live.score);
  });

  it("takes all skills together, and shows each", async () => {
    await deployedAgent(app, "double", { versions: 1 });
    const [version = ""] = await idsOf("double");
    const two = JSON.stringify([
      { name: "answer", input: {} },
      { name: "guess", input: {} },
    ]);
    await app.pool.query("update agent_versions set definition = jsonb_set(definition, '{skills}', $2) where id = $1", [version, two]);
    await app.pool.query("delete from skill_prints where version_id = $1", [version]);
    await win(
      { version, outcome: 1 },
      { version, outcome: 1 },
      { version, outcome: 0, skill: "guess" },
      { version, outcome: 0, skill: "guess" },
    );
    const { score, live, skills } = await read("double");
    expect([score, live]).toEqual([0.5, false]);
    expect(skills[0].score).toBeGreaterThan(0.5);
    expect(skills[1].score).toBeLessThan(0.5);
  });

  it("shows its history day by day, no longer than the version is there and no more days than asked for", async () => {
    await deployedAgent(app, "aged", { versions: 1, deploy: [1] });
    const [version = ""] = await idsOf("aged");
    await app.pool.query("update agent_versions set created_at = now() - interval '9 days' where id = $1", [version]);
    await win(
      ...[72, 72, 72].map((hours) => ({ version, outcome: 1, hours })),
      { version, outcome: 0, hours: 300 },
      { version, outcome: 1 },
    );
    const { history, score } = await read("aged");
    expect(history).toHaveLength(10);
    expect(history.map(({ items: n }: { items: number }) => n)).toEqual([0, 0, 0, 0, 0, 0, 3, 0, 0, 1]);
    const scores = history.map((day: { score: number }) => day.score);
    expect(scores[0]).toBeLessThan(0.5); // what failed before still counts
    expect(scores[6]).toBeGreaterThan(scores[5]);
    expect(scores[9]).toBeCloseTo(score, 2);
    const short = (await read("aged", "?days=2")).history;
    expect(short).toHaveLength(2);
    expect(short[1]).toEqual(history[9]);
    expect(short[0].score).toBeCloseTo(scores[8], 3);
  });

  it("cannot be read of an agent without a version, or of one that it does not have", async () => {
    await deployedAgent(app, "none", { versions: 0 });
    const none = await app.call("GET", "/v1/agents/none/trust");
    expect(none).toMatchObject({ status: 409, body: { code: "no_version", detail: "none has no version yet." } });
    expect(await app.call("GET", "/v1/agents/sales/trust?version=77")).toMatchObject({ status: 409, body: { code: "no_version" } });
    expect(await app.call("GET", "/v1/agents/nobody/trust")).toMatchObject({ status: 404 });
  });
});

describe("what people said of outcomes", () => {
  /** Tasks of an agent that ended with a score and were judged: `share` of each score were accepted. */
  async function judged(agent: string, version: string, n: number, scores: readonly { score: number; accepted: number }[]): Promise<void> {
    for (const { score, accepted } of scores) {
      await app.pool.query(
        `insert into trust_labels (organization, environment, task_id, agent, version_id, skill, z, score, outcome, labelled_at)
         select 'default', 'development', $1::text || '-' || $2::text || '-' || i || random(), $1, $3, 'answer', ln($2::float8 / (1 - $2::float8)), $2::float8,
           case when i <= $4 * $5::float8 then 1 else 0 end, date_trunc('milliseconds', now()) from generate_series(1, $4::int) i`,
        [agent, score, version, n, accepted],
      );
    }
  }

  it("is held against the scores in bins", async () => {
    await deployedAgent(app, "rated", { versions: 1, deploy: [1] });
    const [version = ""] = await idsOf("rated");
    await judged("rated", version, 10, [
      { score: 0.95, accepted: 1 },
      { score: 0.25, accepted: 0.5 },
    ]);
    const { reliability, calibration } = await read("rated");
    expect(reliability.n).toBe(20);
    expect(reliability.ece).toBeCloseTo((0.05 + 0.25) / 2, 10);
    expect(reliability.brier).toBeCloseTo((0.05 ** 2 + (0.75 ** 2 + 0.25 ** 2) / 2) / 2, 10);
    expect(reliability.bins[9]).toMatchObject({ from: 0.9, to: 1, n: 10, mean_score: 0.95, mean_outcome: 1 });
    expect(reliability.bins[2]).toMatchObject({ n: 10, mean_outcome: 0.5 });
    expect(calibration).toMatchObject({ adopted: false, labels: 20 });
  });

  it("calibrates scores once there are labels enough that show a gain, by a call of its own, and later tasks are scored by it", async () => {
    await deployedAgent(app, "vain", { versions: 1, deploy: [1] });
    const [version = ""] = await idsOf("vain");
    await judged("vain", version, 99, [
      { score: 0.9, accepted: 0.5 },
      { score: 0.8, accepted: 0.4 },
    ]);
    await win({ version, outcome: 1, channel: "approvals" });
    expect((await read("vain")).calibration.fitted_at).toBeNull(); // 198 labels do not do
    await judged("vain", version, 5, [{ score: 0.8, accepted: 0.4 }]);
    const before = await read("vain");
    await win({ version, outcome: 1, channel: "approvals" });
    const after = await read("vain");
    expect(after.calibration).toMatchObject({ adopted: true, labels: 203, reason: expect.stringContaining("Adopted") });
    expect(after.score).toBeLessThan(before.score);
    const task = await app.call("POST", "/v1/agents/vain/tasks", { body: { task: "answer", question: "?", require_approval: true } });
    expect(task.body.trust_score).toBe(after.skills[0].score);
    const { trust } = (await app.call("GET", `/v1/tasks/${task.body.task_id}`)).body;
    const z = Object.values<number>(trust.parts).reduce((sum, part) => sum + part, 0);
    expect(trust.calibration).toEqual({ a: after.calibration.a, b: after.calibration.b });
    expect(1 / (1 + Math.exp(-(trust.calibration.a * z + trust.calibration.b)))).toBeCloseTo(trust.score, 4);
    const { rows } = await app.pool.query(`select body from audit_records where body like '%"operation":"agents.calibrateTrust"%'`);
    expect(rows.map(({ body }) => [JSON.parse(body).object, JSON.parse(body).principal])).toEqual([["agent:vain", "system:sweeper"]]);
  });

  it("is weighed anew only after a twentieth more was said", async () => {
    const [version = ""] = await idsOf("vain");
    const fitted = async () => (await read("vain")).calibration;
    const first = await fitted();
    await judged("vain", version, 19, [{ score: 0.9, accepted: 0.5 }]);
    await win({ version, outcome: 1, channel: "approvals" });
    expect((await fitted()).fitted_at).toBe(first.fitted_at);
    await judged("vain", version, 1, [{ score: 0.9, accepted: 0.5 }]);
    await win({ version, outcome: 1, channel: "approvals" });
    expect((await fitted()).labels).toBe(223);
  });
});
