import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { fitDigest, scoreTrust, startTrustConfig, type TrustCase } from "../../../kernel/trust/index.ts";
import { type TestApp, useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { deployedAgent } from "../testing.ts";
import { fingerprintsOf, forgetJudgement, type JudgedCase, recordJudgements } from "./evidence-store.ts";
import { type EvidenceFacts, evidenceFacts } from "./facts.ts";
import { evidenceSweep } from "./operations/fit-skill.ts";

const app = useApp();
const worker = useWorkerProcess(app);

/** In a transaction of its own, as a call does. `roll` undoes it. */
async function inTransaction(
  of: TestApp,
  act: (ctx: WriteContext) => Promise<unknown>,
  end: "commit" | "rollback" = "commit",
) {
  const client = await of.pool.connect();
  try {
    await client.query("begin");
    const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
    await act({ scope: of.scope, now: Date.now(), db: { query } } as unknown as WriteContext);
    await client.query(end);
  } finally {
    client.release();
  }
}

let cases = 0;
const judged = (row: Partial<JudgedCase> & Pick<JudgedCase, "agent" | "version_id">): JudgedCase => ({
  skill: "answer",
  id: `tsk_case${++cases}`,
  source: "review",
  origin: "random",
  outcome: 1,
  case: {},
  ...row,
});
const record = (...rows: JudgedCase[]) => inTransaction(app, (ctx) => recordJudgements(ctx, rows));
const many = (n: number, row: Parameters<typeof judged>[0]) => Array.from({ length: n }, () => judged(row));
const sure = (probability: number): TrustCase => ({ probability, probability_source: "trained" });

/** Lets the sweeper fit what was judged, however fresh it is. */
async function sweep(): Promise<void> {
  await app.pool.query("update trust_refits set created_at = created_at - interval '2 seconds'");
  await worker.sweeperWith([evidenceSweep]).sweep();
  expect(worker.faults).toEqual([]);
}
const load = (): Promise<EvidenceFacts> => evidenceFacts.load(createReader(app.pool));
const fitsOf = async (version: string) => (await load()).of(app.scope, version, "answer");
const startOf = async (version: string): Promise<number> => {
  const { main } = await fitsOf(version);
  return scoreTrust(main, main.typical, Date.now(), startTrustConfig).score;
};
const rows = async (id: string) =>
  (await app.pool.query("select source, origin, outcome, signals from trust_judgements where id = $1", [id])).rows;
async function agentOf(name: string, versions: number): Promise<string[]> {
  await deployedAgent(app, name, { versions });
  return (await app.pool.query("select id from agent_versions where agent = $1 order by number", [name])).rows.map(
    ({ id }) => id,
  );
}

describe("a judged case", () => {
  it("moves the scores of its skill once the sweeper has fitted it, in its environment only, and each counts once", async () => {
    const [version = ""] = await agentOf("once", 1);
    expect(await startOf(version)).toBe(0.5);
    const one = judged({ agent: "once", version_id: version });
    await record(one);
    await record(one);
    await sweep();
    const { main } = await fitsOf(version);
    expect(main.labels).toEqual({ evaluation: 0, random: 1, volunteered: 0 });
    expect(await startOf(version)).toBeGreaterThan(0.55);
    const staging = (await load()).of({ ...app.scope, environment: "staging" }, version, "answer").main;
    expect(scoreTrust(staging, {}, 0, startTrustConfig).score).toBe(0.5);
  });

  it("is lost with the transaction that recorded it", async () => {
    const [version = ""] = await agentOf("lost", 1);
    await inTransaction(
      app,
      (ctx) => recordJudgements(ctx, [judged({ agent: "lost", version_id: version })]),
      "rollback",
    );
    await sweep();
    expect(await startOf(version)).toBe(0.5);
  });

  it("keeps the strongest word on a task, the latest of its like, and of decisions on its calls the worst", async () => {
    const of = { agent: "words", version_id: "ver_words", id: "tsk_words" };
    const say = (source: JudgedCase["source"], outcome: number, more: Partial<JudgedCase> = {}) =>
      record(judged({ ...of, source, origin: source === "review" ? "random" : "volunteered", outcome, ...more }));
    await say("approval", 0);
    await say("approval", 1, { case: sure(0.9) });
    expect(await rows("tsk_words")).toMatchObject([{ source: "approval", outcome: 0 }]);
    await say("feedback", 1);
    await say("approval", 0);
    await say("feedback", 0.25);
    expect(await rows("tsk_words")).toEqual([
      { source: "feedback", origin: "volunteered", outcome: 0.25, signals: JSON.stringify(sure(0.9)) },
    ]);
    await say("review", 1);
    await say("feedback", 0);
    expect(await rows("tsk_words")).toMatchObject([{ source: "review", origin: "random", outcome: 1 }]);
    await inTransaction(app, (ctx) => forgetJudgement(ctx, { agent: "words", skill: "answer", id: "tsk_words" }));
    expect(await rows("tsk_words")).toEqual([]);
  });

  it("refuses what is no outcome and no case before anything is written", async () => {
    const odd = { agent: "odd", version_id: "ver_odd", id: "tsk_odd" };
    await expect(record(judged({ ...odd, outcome: 1.5 }))).rejects.toThrow(RangeError);
    await expect(record(judged({ ...odd, case: { probability: 2 } }))).rejects.toThrow(RangeError);
    expect(await rows("tsk_odd")).toEqual([]);
  });

  it("waits a second to be fitted, so that processes do not read the maps again at every look", async () => {
    const [version = ""] = await agentOf("waits", 1);
    await sweep();
    const epoch = async () =>
      (await app.pool.query("select epoch from fact_epochs where topic = 'evidence'")).rows[0].epoch;
    await record(judged({ agent: "waits", version_id: version }));
    await app.pool.query("update trust_refits set created_at = now() + interval '1 minute'");
    const before = await epoch();
    await worker.sweeperWith([evidenceSweep]).sweep();
    expect(await epoch()).toBe(before);
    await app.pool.query("update trust_refits set created_at = now() - interval '2 seconds'");
    await worker.sweeperWith([evidenceSweep]).sweep();
    await worker.sweeperWith([evidenceSweep]).sweep();
    expect(await epoch()).toBe(before + 1);
  });
});

describe("the fitted maps of a skill", () => {
  it("start from the model's probability where cases tell one, and score the others by themselves", async () => {
    const [version = ""] = await agentOf("sure", 1);
    const of = { agent: "sure", version_id: version, source: "evaluation", origin: "evaluation" } as const;
    await record(...many(30, { ...of, case: sure(0.9) }), ...many(4, { ...of, outcome: 0 }));
    await record(judged({ agent: "sure", version_id: version, source: "run", origin: "volunteered", outcome: 0 }));
    await sweep();
    const fits = await fitsOf(version);
    expect(fits.main).toMatchObject({
      basis: "trained",
      typical: sure(0.9),
      labels: { evaluation: 30, volunteered: 1 },
    });
    const score = (given: TrustCase) => scoreTrust(fits.forCase(given), given, Date.now(), startTrustConfig).score;
    expect(score(sure(0.9))).toBeGreaterThan(0.85);
    expect(score(sure(0.3))).toBeLessThan(0.4);
    expect(score({})).toBeLessThan(0.3);
  });

  it("hold for versions that are alike to the model, and lend a later one the level only without a probability", async () => {
    const [first = "", second = "", third = ""] = await agentOf("heir", 3);
    await app.pool.query("update skill_prints set behaviour = 'other' where version_id = $1", [third]);
    await record(...many(20, { agent: "heir", version_id: second }));
    await sweep();
    expect(await startOf(first)).toBe(await startOf(second)); // only its description differs
    expect(await startOf(second)).toBeGreaterThan(0.85);
    const { main } = await fitsOf(third);
    const heir = scoreTrust(main, main.typical, Date.now(), startTrustConfig);
    expect(heir.score).toBe(await startOf(second));
    expect(heir.high - heir.low).toBeGreaterThan(0.1);
    await app.pool.query("update skill_prints set behaviour = 'first' where version_id = $1", [first]);
    await record(judged({ agent: "heir", version_id: third }));
    await sweep();
    expect(await startOf(first)).toBe(0.5); // what later versions were judged counts nothing
  });

  it("are kept, so that a stored score can be computed again after later labels", async () => {
    const [version = ""] = await agentOf("kept", 1);
    await record(...many(5, { agent: "kept", version_id: version, case: { ungrounded: 0.2 } }));
    await sweep();
    const { main } = await fitsOf(version);
    const score = JSON.parse(JSON.stringify(scoreTrust(main, main.typical, Date.now(), startTrustConfig)));
    await record(...many(5, { agent: "kept", version_id: version, outcome: 0 }));
    await sweep();
    expect(fitDigest((await fitsOf(version)).main)).not.toBe(score.inputs.fit);
    const { rows: stored } = await app.pool.query("select fit, current from trust_fits where digest = $1", [
      score.inputs.fit,
    ]);
    expect(stored).toMatchObject([{ current: false }]);
    const fit = JSON.parse(stored[0].fit);
    const at = fit.as_of + score.inputs.weeks * 7 * 86_400_000;
    expect(JSON.parse(JSON.stringify(scoreTrust(fit, score.inputs.case, at, startTrustConfig)))).toEqual(score);
  });

  it("know the share of tasks that were judged", async () => {
    const [version = ""] = await agentOf("share", 1);
    await app.pool.query(
      `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref,
         principal, subject, event_count, finished_at)
       select 'default', 'development', 'tsk_share' || n, 'share', $1, 1, 'answer', 'completed', '{}', 0.5, '{}', 'low', '{}', 'aud', 'm', 's', 1,
         now() + case when n > 10 then interval '1 day' else '-1 day' end from generate_series(1, 30) n`,
      [version],
    );
    await record(...[1, 2].map((n) => judged({ agent: "share", version_id: version, id: `tsk_share${n}` })));
    await sweep();
    expect((await fitsOf(version)).main.judged_share).toBeCloseTo(0.2, 10); // tasks after the newest label change nothing
  });

  it("are distinguished by fingerprints that the sweeper takes where a version has none", async () => {
    const [id = ""] = await agentOf("bare", 1);
    const fingerprints = () =>
      app.pool.query("select skill, agent, number, model, behaviour from skill_prints where version_id = $1", [id]);
    const { rows: before } = await fingerprints();
    expect(before).toMatchObject([{ skill: "answer", agent: "bare", number: 1 }]);
    await app.pool.query("delete from skill_prints where version_id = $1", [id]);
    await sweep();
    expect((await fingerprints()).rows).toEqual(before);
  });

  it("stay the same objects while the facts do, so that scorers can keep what they made of them", async () => {
    const facts = await load();
    const of = () => facts.of(app.scope, "ver_none", "answer");
    expect([of(), of().main]).toEqual([of(), of().main]);
    expect(of().main).toBe(of().main);
  });
});

describe("fingerprints", () => {
  const definition = (change: Partial<AgentDefinition> = {}): AgentDefinition => ({
    description: "Answers.",
    model: { provider: "builtin" },
    instructions: "Be brief.",
    knowledge: ["a", "b"],
    tools: [
      { name: "get_lead", kind: "record", base: "leads", effect: "read" },
      { name: "unused", kind: "record", base: "leads", effect: "read" },
    ],
    skills: [{ name: "answer", input: {}, tools: ["get_lead"], impact: { money: 1 } }],
    ...change,
  });
  const change = (after: AgentDefinition, trained: Record<string, string> = {}) => {
    const [a, b] = [
      fingerprintsOf(definition(), new Map()).get("answer"),
      fingerprintsOf(after, new Map(Object.entries(trained))).get("answer"),
    ];
    return { model: a?.model !== b?.model, behaviour: a?.behaviour !== b?.behaviour };
  };
  const tools = definition().tools;
  const [skill] = definition().skills;

  it.each([
    ["nothing", definition(), { model: false, behaviour: false }],
    ["the description", definition({ description: "Answers questions." }), { model: false, behaviour: false }],
    ["the order of knowledge", definition({ knowledge: ["b", "a"] }), { model: false, behaviour: false }],
    ["the order of tools", definition({ tools: tools.toReversed() }), { model: false, behaviour: false }],
    ["a tool that it does not use", definition({ tools: tools.slice(0, 1) }), { model: false, behaviour: false }],
    ["its impact", definition({ skills: [{ ...skill!, impact: { money: 5 } }] }), { model: false, behaviour: false }],
    ["the instructions", definition({ instructions: "Be long." }), { model: false, behaviour: true }],
    [
      "its examples",
      definition({ skills: [{ ...skill!, examples: [{ input: {}, output: {} }] }] }),
      { model: false, behaviour: true },
    ],
    [
      "a tool that it uses",
      definition({ tools: [{ ...tools[0]!, base: "others" } as (typeof tools)[0], tools[1]!] }),
      { model: false, behaviour: true },
    ],
    ["the model", definition({ model: { provider: "openai", name: "gpt" } }), { model: true, behaviour: false }],
  ] as const)("say of a change of %s what it means for the skill", (_what, after, expected) => {
    expect(change(after as AgentDefinition)).toEqual(expected);
  });

  it("see another trained model as another model", () => {
    expect(change(definition(), { answer: "sha256:1" })).toMatchObject({ model: true });
    expect(change(definition(), { other: "sha256:1" })).toEqual({ model: false, behaviour: false });
  });
});
