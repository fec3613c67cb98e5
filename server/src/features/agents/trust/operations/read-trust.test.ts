import { describe, expect, it } from "vitest";
import { scoreTrust, startTrustConfig, type TrustCase } from "../../../../kernel/trust/index.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { deployedAgent } from "../../testing.ts";
import { evidenceSweep } from "./fit-skill.ts";

const app = useApp();
const worker = useWorkerProcess(app);

interface Label {
  agent: string;
  version: string;
  outcome: number;
  origin?: "evaluation" | "random" | "volunteered";
  skill?: string;
  known?: TrustCase;
}
const sources = { evaluation: "evaluation", random: "review", volunteered: "feedback" };
let labels = 0;

/** Labels as calls record them, fitted by the sweeper and known to the service. */
async function judge(...given: Label[]): Promise<void> {
  for (const { agent, version, outcome, origin = "random", skill = "answer", known = {} } of given) {
    await app.pool.query(
      `with one as (insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, signals, observed_at)
         values ('default', 'development', $1, $2, $3, $4, $5, $6, $7, $8, now()) returning *)
       insert into trust_refits (organization, environment, agent, skill, created_at)
       select organization, environment, agent, skill, now() - interval '2 seconds' from one`,
      [agent, skill, `tsk_label${++labels}`, version, sources[origin], origin, outcome, JSON.stringify(known)],
    );
  }
  await worker.sweeperWith([evidenceSweep]).sweep();
  expect(worker.faults).toEqual([]);
  await app.app.facts.refresh();
  await worker.refresh();
}
const many = (n: number, of: Label) => Array.from({ length: n }, () => of);
const read = async (agent: string, query = "", environment: "development" | "staging" = "development") =>
  (await app.call("GET", `/v1/agents/${agent}/trust${query}`, { key: "viewer", environment })).body;
async function agentOf(name: string, versions: number): Promise<string[]> {
  await deployedAgent(app, name, { versions, deploy: [1] });
  return (await app.pool.query("select id from agent_versions where agent = $1 order by number", [name])).rows.map(
    ({ id }) => id,
  );
}
const today = () => new Date().toISOString().slice(0, 10);

describe("an agent's trust", () => {
  it("is that of the prior where nothing was judged, and says what would raise it and what it cannot show", async () => {
    await agentOf("blank", 1);
    const trust = await read("blank");
    expect(trust).toMatchObject({
      agent: "blank",
      version: 1,
      live: true,
      score: 0.5,
      low: 0.1958,
      high: 0.8042,
      formula: "trust-3",
    });
    expect(trust.skills).toMatchObject([
      { skill: "answer", score: 0.5, basis: "none", case: {}, random_share: null, fits: [] },
    ]);
    expect(trust.skills[0].improvements).toMatchObject([{ kind: "judged", items: 10 }]);
    expect(trust.skills[0].limits).toEqual([expect.stringContaining("Nothing was judged yet")]);
    expect(trust.reliability).toMatchObject({ n: 0, of: "all", random_share: null, ece: null, brier: null });
    expect(trust.reliability.bins).toHaveLength(10);
    expect(trust.history).toEqual([{ date: today(), score: 0.5, low: 0.1958, high: 0.8042, labels: 0 }]);
  });

  it("stands on the labels of the environment, explained part by part, the same that a task starts with, and can be computed again from the answer", async () => {
    const [version = ""] = await agentOf("proven", 1);
    const known = { probability: 0.8, probability_source: "trained" } as const;
    const of = { agent: "proven", version, known };
    await judge(
      ...many(24, { ...of, outcome: 1, origin: "evaluation" }),
      ...many(6, { ...of, outcome: 0, origin: "evaluation" }),
    );
    await judge(...many(3, { ...of, outcome: 1 }), { ...of, outcome: 0, origin: "volunteered" });
    const trust = await read("proven");
    const [skill] = trust.skills;
    expect(skill).toMatchObject({
      basis: "trained",
      case: known,
      labels: { evaluation: 30, random: 3, volunteered: 1 },
      random_share: 0.75,
    });
    expect(skill.score).toBeCloseTo(0.8, 1);
    const z = skill.parts.reduce((sum: number, part: { value: number }) => sum + part.value, 0);
    expect(1 / (1 + Math.exp(-z))).toBeCloseTo(skill.score, 4);
    const { digest, ...fit } = skill.fits[0];
    const again = scoreTrust(fit, skill.case, fit.as_of, startTrustConfig);
    expect(again).toMatchObject({ score: skill.score, low: skill.low, high: skill.high, digest: skill.digest });
    expect(again.inputs.fit).toBe(digest);
    const task = await app.call("POST", "/v1/agents/proven/tasks", {
      body: { task: "answer", question: "?", require_approval: true },
    });
    expect(task.body.trust_score).toBe(skill.score);
    expect((await app.call("GET", `/v1/tasks/${task.body.task_id}`)).body.trust).toMatchObject({
      digest: skill.digest,
      fit: digest,
      case: known,
    });
    expect(trust.reliability).toMatchObject({
      n: 33,
      of: "unchosen",
      random_share: 0.75,
      ece: expect.any(Number),
      brier: expect.any(Number),
    });
    expect((await read("proven", "", "staging")).score).toBe(0.5);
  });

  it("is not moved by tasks that nobody judged", async () => {
    const before = await read("proven");
    await app.pool.query(
      `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref,
         principal, subject, event_count, finished_at)
       select 'default', 'development', 'tsk_unjudged' || n, 'proven', $1, 1, 'answer', 'completed', '{}', 0.5, '{}', 'low', '{}', 'aud', 'm', 's', 1, now()
       from generate_series(1, 300) n`,
      [before.version_id],
    );
    await judge();
    expect((await read("proven")).skills).toEqual(before.skills);
  });

  it("is of the version that is asked for, which borrows the level of the one before", async () => {
    const [first = "", second = ""] = await agentOf("heirs", 2);
    await app.pool.query("update skill_prints set behaviour = 'other' where version_id = $1", [second]);
    await judge(...many(10, { agent: "heirs", version: first, outcome: 1 }));
    const [live, newest] = [await read("heirs"), await read("heirs", "?version=2")];
    expect([live.version, live.live, newest.version, newest.live]).toEqual([1, true, 2, false]);
    expect(newest.score).toBe(live.score);
    expect(newest.low).toBeLessThan(live.low);
    expect(newest.skills[0].labels).toEqual({ evaluation: 0, random: 0, volunteered: 0 });
  });

  it("takes all skills together, and shows each", async () => {
    const [version = ""] = await agentOf("double", 1);
    const two = JSON.stringify([
      { name: "answer", input: {} },
      { name: "guess", input: {} },
    ]);
    await app.pool.query("update agent_versions set definition = jsonb_set(definition, '{skills}', $2) where id = $1", [
      version,
      two,
    ]);
    await app.pool.query("delete from skill_prints where version_id = $1", [version]);
    await judge(
      ...many(4, { agent: "double", version, outcome: 1 }),
      ...many(4, { agent: "double", version, outcome: 0, skill: "guess" }),
    );
    const { score, skills } = await read("double");
    expect(score).toBeCloseTo(0.5, 4);
    expect(skills[0].score).toBeGreaterThan(0.7);
    expect(skills[1].score).toBeLessThan(0.3);
  });

  it("shows its history day by day as it was then, no longer than the version is there and no more days than asked for", async () => {
    const [version = ""] = await agentOf("aged", 1);
    await app.pool.query("update agent_versions set created_at = now() - interval '9 days' where id = $1", [version]);
    await app.pool.query(
      `insert into trust_days (organization, environment, agent, skill, version_id, day, score, low, high, labels)
       values ('default', 'development', 'aged', 'answer', $1, (now() at time zone 'UTC')::date - 5, 0.7, 0.6, 0.8, 12)`,
      [version],
    );
    await judge(...many(3, { agent: "aged", version, outcome: 1 }));
    const { history, score } = await read("aged");
    expect(history).toHaveLength(10);
    const scores = history.map((day: { score: number }) => day.score);
    expect(scores.slice(3, 9)).toEqual([0.5, 0.7, 0.7, 0.7, 0.7, 0.7]);
    expect(history[9]).toMatchObject({ date: today(), score, labels: 3 });
    const short = (await read("aged", "?days=2")).history;
    expect(short).toEqual(history.slice(8));
  });

  it("says where judgement is thin", async () => {
    const [version = ""] = await agentOf("thin", 1);
    const limits = async () => (await read("thin")).skills[0].limits.join(" ");
    await judge({ agent: "thin", version, outcome: 1, origin: "evaluation" });
    expect(await limits()).toMatch(/No live task was judged.*no probability/);
    await app.pool.query("update tasks set agent = 'thin', version_id = $1 where id like 'tsk_unjudged%'", [version]);
    await judge({ agent: "thin", version, outcome: 1, origin: "volunteered" });
    expect(await limits()).toContain("chosen by somebody");
    await judge({ agent: "thin", version, outcome: 1 });
    expect(await limits()).toContain("Fewer than 5 %");
  });

  it("cannot be read of an agent without a version, or of one that it does not have", async () => {
    await deployedAgent(app, "none", { versions: 0 });
    const none = await app.call("GET", "/v1/agents/none/trust");
    expect(none).toMatchObject({ status: 409, body: { code: "no_version", detail: "none has no version yet." } });
    expect(await app.call("GET", "/v1/agents/sales/trust?version=77")).toMatchObject({
      status: 409,
      body: { code: "no_version" },
    });
    expect(await app.call("GET", "/v1/agents/nobody/trust")).toMatchObject({ status: 404 });
  });

  it("is fitted by a call of its own, which stands in the log", async () => {
    const { rows } = await app.pool.query(
      `select body from audit_records where body like '%"operation":"agents.fitTrust"%'`,
    );
    const said = rows.map(({ body }) => JSON.parse(body)).filter(({ object }) => object === "agent:proven");
    expect(said.map(({ principal }) => principal)).toEqual(["system:sweeper", "system:sweeper"]);
  });
});
