import { describe, expect, it } from "vitest";
import { createReader } from "../../db/reader.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Evidence, startTrustConfig } from "../../kernel/trust/index.ts";
import { type TestApp, useApp } from "../../testing/app.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import type { AgentDefinition } from "./definition.ts";
import { type EvidenceFacts, evidenceFacts } from "./evidence-facts.ts";
import { type EvidenceRow, recordEvidence, replaceEvidence } from "./evidence-store.ts";
import { evidenceSweep } from "./evidence-sweep.ts";
import { changeBetween, printsOf } from "./prints.ts";
import { deployedAgent } from "./testing.ts";

const app = useApp();
const worker = useWorkerProcess(app);

/** In a transaction of its own, as a call does. `roll` undoes it. */
async function inTransaction(of: TestApp, act: (ctx: WriteContext) => Promise<unknown>, end: "commit" | "rollback" = "commit") {
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

const item = (row: Partial<EvidenceRow> & Pick<EvidenceRow, "id" | "version_id">): EvidenceRow => ({
  skill: "answer",
  channel: "runs",
  outcome: 1,
  quality: 1,
  ...row,
});
const record = (...rows: EvidenceRow[]) => inTransaction(app, (ctx) => recordEvidence(ctx, rows));
/** Lets the sweeper take up what waits, however fresh it is. */
async function sweep(): Promise<void> {
  await app.pool.query("update trust_evidence_new set created_at = created_at - interval '2 seconds'");
  await worker.sweeperWith([evidenceSweep]).sweep();
  expect(worker.faults).toEqual([]);
}
const load = (): Promise<EvidenceFacts> => evidenceFacts.load(createReader(app.pool));
const sums = async (version: string, skill = "answer", environment = app.scope.environment) =>
  (await load()).of({ ...app.scope, environment }, version, skill).sums;
const idsOf = async (agent: string): Promise<string[]> =>
  (await app.pool.query("select id from agent_versions where agent = $1 order by number", [agent])).rows.map(({ id }) => id);

describe("evidence", () => {
  it("counts once for its key, weighed by its quality, and by environment", async () => {
    await record(item({ id: "a", version_id: "ver_once" }), item({ id: "b", version_id: "ver_once", outcome: 0.25, quality: 0.5 }));
    await record(item({ id: "a", version_id: "ver_once", outcome: 0 }));
    await sweep();
    expect((await sums("ver_once")).runs).toEqual({ S: 1.125, F: 0.375 });
    expect((await sums("ver_once", "answer", "staging")).runs).toEqual({ S: 0, F: 0 });
    expect((await sums("ver_once", "other")).runs).toEqual({ S: 0, F: 0 });
  });

  it("is lost with the transaction that won it", async () => {
    await inTransaction(app, (ctx) => recordEvidence(ctx, [item({ id: "a", version_id: "ver_lost" })]), "rollback");
    await sweep();
    expect((await sums("ver_lost")).runs).toEqual({ S: 0, F: 0 });
  });

  it("refuses what is no outcome before anything is written", async () => {
    await expect(record(item({ id: "a", version_id: "ver_odd", outcome: 1.5 }))).rejects.toThrow(RangeError);
    await expect(record(item({ id: "a", version_id: "ver_odd", quality: Number.NaN }))).rejects.toThrow(RangeError);
  });

  it("is replaced where people take back what they said, also after it was added to the sums, also when it is old", async () => {
    const yesterday = Date.now() - 86_400_000;
    const said = (outcome: number) => item({ id: "t", version_id: "ver_back", channel: "approvals", outcome });
    await inTransaction(app, (ctx) => replaceEvidence(ctx, [{ ...said(1), observed_at: yesterday }]));
    await sweep();
    expect((await sums("ver_back")).approvals.S).toBeCloseTo(2 ** (-1 / 30), 6);
    await inTransaction(app, (ctx) => replaceEvidence(ctx, [said(0.25)]));
    await sweep();
    expect((await sums("ver_back")).approvals).toEqual({ S: 0.25, F: 0.75 });
    await inTransaction(app, (ctx) => replaceEvidence(ctx, [said(0)]));
    await inTransaction(app, (ctx) => replaceEvidence(ctx, [said(1)]));
    await sweep();
    expect((await sums("ver_back")).approvals).toEqual({ S: 1, F: 0 });
  });

  it("is replaced item by item where many come at once, and what is new among them is added", async () => {
    const seen = (id: string, outcome: number) => item({ id, version_id: "ver_again", channel: "evaluations", outcome });
    await record(seen("a", 1), seen("b", 0), seen("other", 1));
    await sweep();
    await inTransaction(app, (ctx) => replaceEvidence(ctx, [seen("a", 0.5), seen("b", 0.5), seen("c", 1)]));
    await sweep();
    expect((await sums("ver_again")).evaluations).toEqual({ S: 3, F: 1 });
    const { rows } = await app.pool.query("select sum(items)::int as items from trust_evidence_days where version_id = 'ver_again'");
    expect(rows).toEqual([{ items: 4 }]);
  });

  it("decays by whole hours, by half in its half-life, and no longer counts after a year", async () => {
    const days = (n: number) => Date.now() - n * 86_400_000;
    await record(item({ id: "now", version_id: "ver_old", outcome: 0 }));
    await record(item({ id: "old", version_id: "ver_old", observed_at: days(startTrustConfig.half_life_days) }));
    await record(item({ id: "ancient", version_id: "ver_old", channel: "evaluations", observed_at: days(366) }));
    await sweep();
    const { runs, evaluations } = await sums("ver_old");
    expect(runs.F).toBe(1);
    expect(runs.S).toBeCloseTo(0.5, 10);
    expect(evaluations).toEqual({ S: 0, F: 0 });
  });

  it("is summed anew from its days where the half-life has changed", async () => {
    await record(
      item({ id: "a", version_id: "ver_half" }),
      item({ id: "b", version_id: "ver_half", outcome: 0.5, observed_at: Date.now() - 6e8 }),
    );
    await sweep();
    const before = (await sums("ver_half")).runs;
    await app.pool.query("update trust_evidence_sums set half_life_days = 10, successes = 99 where version_id = 'ver_half'");
    await sweep();
    const { S, F } = (await sums("ver_half")).runs;
    expect(Math.abs(S - before.S) + Math.abs(F - before.F)).toBeLessThan(0.03); // by noon, not by the hour
    expect((await app.pool.query("select distinct half_life_days from trust_evidence_sums")).rows).toEqual([{ half_life_days: 30 }]);
  });

  it("adds up to the same in whatever portions it comes, hours and days apart", async () => {
    const rows = Array.from({ length: 40 }, (_, n) =>
      item({ id: `i${n}`, version_id: "ver_portions", outcome: (n % 5) / 4, observed_at: Date.now() - n * 5 * 3_600_000 }),
    );
    for (const row of rows) {
      await record(row);
      await sweep();
      await app.pool.query(
        "update trust_evidence_sums set as_of = as_of - interval '7 hours', successes = successes * power(2, 7 / 24.0 / 30), failures = failures * power(2, 7 / 24.0 / 30)",
      );
    }
    const portions = (await sums("ver_portions")).runs;
    await record(...rows.map((row) => ({ ...row, version_id: "ver_whole" })));
    await sweep();
    const whole = (await sums("ver_whole")).runs;
    expect(portions.S).toBeCloseTo(whole.S, 9);
    expect(portions.F).toBeCloseTo(whole.F, 9);
  });

  it("waits a second to be added, so that processes do not read the sums anew at every look", async () => {
    await sweep();
    const epoch = async () => (await app.pool.query("select epoch from fact_epochs where topic = 'evidence'")).rows[0].epoch;
    await record(item({ id: "a", version_id: "ver_wait" }));
    await app.pool.query("update trust_evidence_new set created_at = now() + interval '1 minute'");
    const before = await epoch();
    await worker.sweeperWith([evidenceSweep]).sweep();
    expect(await epoch()).toBe(before);
    await app.pool.query("update trust_evidence_new set created_at = now()  - interval '2 seconds'");
    await worker.sweeperWith([evidenceSweep]).sweep();
    expect(await epoch()).toBe(before + 1);
    await worker.sweeperWith([evidenceSweep]).sweep();
    expect(await epoch()).toBe(before + 1);
  });
});

describe("evidence of earlier versions", () => {
  it("counts whole, by a half or by a quarter, by what changed since; that of later versions counts nothing", async () => {
    await deployedAgent(app, "heir", { versions: 3 });
    const [first = "", second = "", third = ""] = await idsOf("heir");
    await app.pool.query("update skill_prints set behaviour = 'other' where version_id = $1", [third]);
    await record(item({ id: "a", version_id: first }), item({ id: "b", version_id: third, outcome: 0 }));
    await sweep();
    expect((await sums(first)).runs).toEqual({ S: 1, F: 0 });
    expect((await sums(second)).runs).toEqual({ S: 1, F: 0 }); // only its description differs
    expect((await sums(third)).runs).toEqual({ S: 0.5, F: 1 });
    await app.pool.query("update skill_prints set model = 'other' where version_id = $1", [second]);
    expect((await sums(second)).runs).toEqual({ S: 0.25, F: 0 });
  });

  it("is told apart by prints that the sweeper takes where a version has none", async () => {
    await deployedAgent(app, "bare", { versions: 1 });
    const [id = ""] = await idsOf("bare");
    const prints = () => app.pool.query("select skill, agent, number, model, behaviour from skill_prints where version_id = $1", [id]);
    const { rows } = await prints();
    expect(rows).toMatchObject([{ skill: "answer", agent: "bare", number: 1 }]);
    await app.pool.query("delete from skill_prints where version_id = $1", [id]);
    await sweep();
    expect((await prints()).rows).toEqual(rows);
  });

  it("stays the same object while the facts do, so that scorers can keep what they made of it", async () => {
    const facts = await load();
    const of = (): Evidence => facts.of(app.scope, "ver_none", "answer");
    expect(of()).toBe(of());
  });
});

describe("prints", () => {
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
    const [a, b] = [printsOf(definition(), new Map()).get("answer"), printsOf(after, new Map(Object.entries(trained))).get("answer")];
    return a && b && changeBetween(a, b);
  };
  const tools = definition().tools;
  const [skill] = definition().skills;

  it.each([
    ["nothing", definition(), "none"],
    ["the description", definition({ description: "Answers questions." }), "none"],
    ["the order of knowledge", definition({ knowledge: ["b", "a"] }), "none"],
    ["the order of tools", definition({ tools: tools.toReversed() }), "none"],
    ["a tool that it does not use", definition({ tools: tools.slice(0, 1) }), "none"],
    ["its impact", definition({ skills: [{ ...skill!, impact: { money: 5 } }] }), "none"],
    ["the instructions", definition({ instructions: "Be long." }), "prompt_or_tool"],
    ["its examples", definition({ skills: [{ ...skill!, examples: [{ input: {}, output: {} }] }] }), "prompt_or_tool"],
    ["a tool that it uses", definition({ tools: [{ ...tools[0]!, base: "others" } as (typeof tools)[0], tools[1]!] }), "prompt_or_tool"],
    ["the model", definition({ model: { provider: "openai", name: "gpt" } }), "model"],
  ] as const)("say of a change of %s what it means for the skill", (_what, after, expected) => {
    expect(change(after as AgentDefinition)).toBe(expected);
  });

  it("see another trained model as another model", () => {
    expect(change(definition(), { answer: "sha256:1" })).toBe("model");
    expect(change(definition(), { other: "sha256:1" })).toBe("none");
  });
});
