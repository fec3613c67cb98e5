import { describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { policyBlocked } from "../../../../kernel/problems.ts";
import { GatheringHindered } from "../../../../kernel/skill-runner.ts";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { findSkillModel } from "../model-store.ts";
import type { TrainingJob } from "../schemas.ts";
import {
  completed,
  examplesOf,
  failed,
  learner,
  readTraining,
  rote,
  runner,
  startTraining,
  train,
} from "../training.fixture.ts";
import { trainingSweep } from "./training-job.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const modelOf = (version: string | null) =>
  findSkillModel({ scope: app.scope, db: createReader(app.pool) }, version ?? "", "sort");
const versionsOf = async (agent: string) =>
  (
    await app.pool.query("select number, note, based_on, author from agent_versions where agent = $1 order by number", [
      agent,
    ])
  ).rows;
const rowOf = async ({ job_id }: TrainingJob) =>
  (await app.pool.query("select * from training_jobs where id = $1", [job_id])).rows[0];
const lapse = ({ job_id }: TrainingJob) =>
  app.pool.query("update training_jobs set lease_until = now() where id = $1", [job_id]);
const hosted = { provider: "openai", name: "some-model", connection: "main" };

describe("training the built-in model", () => {
  it("makes a candidate that is live nowhere, with what was learnt, and says how it does before and after", async () => {
    await learner(app, "pupil");
    await app.call("POST", "/v1/agents/pupil/deployments", { body: { version: 1 } });
    const job = await startTraining(app, "pupil", { examples: examplesOf(60), note: "Learnt numbers." });
    await train(worker, app, job);
    const done = await readTraining(app, job);
    expect(done).toMatchObject({
      state: "completed",
      phase: "done",
      progress: 1,
      version: 2,
      seconds: 0.25,
      cost_usd: 0,
      demonstrations: null,
      failure: null,
      metrics: {
        n: 12,
        before: 0,
        after: 1,
        difference: 1,
        verdict: "better",
        ece: expect.closeTo(0.1, 10),
        fields: [{ field: "/kind", accuracy: 1 }],
      },
    });
    expect(done.metrics?.low).toBeGreaterThan(0);
    expect(await versionsOf("pupil")).toMatchObject([
      { number: 1 },
      { number: 2, note: "Learnt numbers.", based_on: 1, author: "system:worker" },
    ]);
    const model = await modelOf(done.version_id);
    expect(JSON.parse(String(model?.artifact))).toHaveLength(48);
    expect(model?.report).toMatchObject({ metrics: { after: 1 } });
    expect(await modelOf(done.base_version_id)).toBeUndefined();
    const { body } = await app.call("GET", "/v1/agents/pupil/deployments");
    expect(body.data.map(({ version, state }: { version: number; state: string }) => [version, state])).toEqual([
      [1, "live"],
    ]);
    expect((await rowOf(job)).artifact).toBeNull(); // it lies with the version now
  });

  it("counts evidence of the version before at what it counts after a change of model", async () => {
    const { body } = await app.call("GET", "/v1/agents/pupil/versions");
    const [candidate, base] = body.data as { version_id: string }[];
    const { rows } = await app.pool.query(
      "select version_id, model, behaviour from skill_prints where version_id = any($1)",
      [[candidate?.version_id, base?.version_id]],
    );
    expect(rows[0].model).not.toBe(rows[1].model);
    expect(rows[0].behaviour).toBe(rows[1].behaviour);
  });

  it("is evidence about the candidate: how it did on examples that it had not seen", async () => {
    const told = '{"probability":0.9,"probability_source":"trained"}';
    const evidence = async (agent: string) =>
      (
        await app.pool.query(
          `select e.origin, min(e.signals) as signals, count(*)::int as n, sum(e.outcome) as right from trust_judgements e
           join agent_versions v on v.id = e.version_id where v.agent = $1 and v.number = 2 group by 1`,
          [agent],
        )
      ).rows;
    expect(await evidence("pupil")).toEqual([{ origin: "evaluation", signals: told, n: 12, right: 12 }]);
    await learner(app, "half");
    const job = await startTraining(app, "half", { examples: examplesOf(50) });
    await train(
      worker,
      app,
      job,
      rote(({ output }) => output.kind === "odd"),
    );
    const odd = Math.round(10 * ((await readTraining(app, job)).metrics?.after ?? 0));
    expect(await evidence("half")).toMatchObject([{ origin: "evaluation", n: 10, right: odd }]);
  });

  it("measures, and takes for evidence, only examples that have something to judge by", async () => {
    await learner(app, "partial");
    const job = await startTraining(app, "partial", { examples: examplesOf(50) });
    const { trainer, requests } = rote(({ output }, learnt) => (output.kind === "odd" ? null : learnt));
    await train(worker, app, job, { trainer });
    const judged = requests[0]?.heldOut.filter(({ output }) => output.kind === "even").length ?? 0;
    const done = await readTraining(app, job);
    expect([judged > 0, judged < 10]).toEqual([true, true]);
    expect(done).toMatchObject({
      examples: { held_out: 10 },
      metrics: { n: judged, before: 0, after: 1, difference: 1, ece: expect.closeTo(0.1, 10) },
    });
    const { rows } = await app.pool.query("select count(*)::int as n from trust_judgements where version_id = $1", [
      done.version_id,
    ]);
    expect(rows).toEqual([{ n: judged }]);
  });

  it("goes on with what the version before had learnt, for other skills and after a change of words", async () => {
    await learner(app, "graduate");
    const job = await startTraining(app, "graduate", { examples: examplesOf(20) });
    await train(worker, app, job);
    const { version_id } = await readTraining(app, job);
    const etag = (await app.call("GET", "/v1/agents/graduate")).headers.get("etag") ?? "";
    const freeze = async (change: object, match: string) => {
      const changed = await app.call("PATCH", "/v1/agents/graduate", { body: change, headers: { "if-match": match } });
      const frozen = await app.call("POST", "/v1/agents/graduate/versions", { body: {} });
      return { id: frozen.body.version_id as string, etag: changed.headers.get("etag") ?? "" };
    };
    const reworded = await freeze({ description: "Sorts numbers." }, etag);
    expect((await modelOf(reworded.id))?.digest).toBe((await modelOf(version_id))?.digest);
    const skills = [
      { name: "sort", input: { type: "object" }, output: { type: "object", properties: { odd: { type: "boolean" } } } },
    ];
    expect(await modelOf((await freeze({ skills }, reworded.etag)).id)).toBeUndefined();
  });

  it("learns again what earlier trainings of the version learnt from, until it is told to leave that out", async () => {
    await learner(app, "veteran");
    const items = examplesOf(30, 500).map(({ input, output: expected }) => ({ input, expected }));
    for (const name of ["veteran-a", "veteran-b"]) {
      const part = name === "veteran-a" ? items.slice(0, 20) : items.slice(10);
      await app.call("POST", "/v1/evaluations/datasets", {
        body: { name, agent: "veteran", skill: "sort", items: part },
      });
    }
    const first = await startTraining(app, "veteran", {
      examples: examplesOf(20),
      datasets: ["veteran-a", "veteran-b"],
    });
    await train(worker, app, first);
    expect((await readTraining(app, first)).examples).toMatchObject({
      given: 20,
      dataset: 40,
      earlier: 0,
      duplicates: 10,
      used: 50,
    });
    const wrong = [{ input: { text: "number 0" }, output: { kind: "odd" } }];
    const second = await startTraining(app, "veteran", { version: 2, examples: [...wrong, ...examplesOf(10, 100)] });
    const { trainer, requests } = rote();
    await train(worker, app, second, { trainer });
    expect((await readTraining(app, second)).examples).toMatchObject({
      given: 11,
      dataset: 0,
      earlier: 60,
      duplicates: 11,
      used: 60,
    });
    const all = [...(requests[0]?.train ?? []), ...(requests[0]?.heldOut ?? [])];
    expect(all.find(({ input }) => input.text === "number 0")?.output).toEqual({ kind: "odd" });
    const fresh = await startTraining(app, "veteran", { version: 3, examples: examplesOf(15, 200), earlier: false });
    await train(worker, app, fresh);
    expect(await readTraining(app, fresh)).toMatchObject({ version: 4, examples: { given: 15, earlier: 0, used: 15 } });
    const last = await startTraining(app, "veteran", { version: 4, examples: examplesOf(12, 300) });
    await train(worker, app, last);
    expect((await readTraining(app, last)).examples).toMatchObject({ given: 12, earlier: 15, used: 27 });
  });

  it("makes no version where the same model came out", async () => {
    await learner(app, "parrot");
    const first = await startTraining(app, "parrot", { examples: examplesOf(20) });
    await train(worker, app, first);
    const again = await startTraining(app, "parrot", { examples: examplesOf(20), version: 2 });
    await train(worker, app, again);
    expect(await readTraining(app, again)).toMatchObject({
      state: "completed",
      phase: "nothing new: the same model came out",
      version: null,
      metrics: { before: 1, after: 1, verdict: "unclear" },
    });
    expect(await versionsOf("parrot")).toHaveLength(2);
  });

  it("fails at the first attempt where the agent is archived meanwhile, and says so", async () => {
    for (const [agent, model] of [
      ["retired", { provider: "builtin" }],
      ["retired-too", hosted],
    ] as const) {
      await learner(app, agent, { model });
      const job = await startTraining(app, agent, { examples: examplesOf(20) });
      await app.call("DELETE", `/v1/agents/${agent}`, { body: { reason: "Not needed." } });
      await train(worker, app, job);
      expect(await readTraining(app, job)).toMatchObject({
        state: "failed",
        version: null,
        failure: {
          code: "agent_archived",
          detail: `${agent} was archived while the job ran, so no version can be frozen.`,
        },
      });
      expect(await rowOf(job)).toMatchObject({ attempt: 1 });
      expect(await versionsOf(agent)).toHaveLength(1);
    }
  });

  it("fails with the trainer's words where the examples teach nothing, and with a refusal's where its records cannot be looked up", async () => {
    await learner(app, "hopeless");
    const ends = async (parts: Parameters<typeof train>[3]) => {
      const job = await startTraining(app, "hopeless", { examples: examplesOf(20) });
      await train(worker, app, job, parts);
      return readTraining(app, job);
    };
    const refusal = Object.assign(new Error("Every example has the same output."), { name: "TrainingRefused" });
    const trainer = { ...rote().trainer, train: () => Promise.reject(refusal) };
    expect(await ends({ trainer })).toMatchObject({
      state: "failed",
      version: null,
      failure: { code: "nothing_learnt", detail: "Every example has the same output." },
    });
    const skills = { ...runner().skills, gather: () => Promise.reject(refuse(policyBlocked, "No look-ups today.")) };
    expect(await ends({ skills })).toMatchObject({
      state: "failed",
      failure: { code: "policy_blocked", detail: "No look-ups today." },
    });
    expect(await versionsOf("hopeless")).toHaveLength(1);
  });

  it("learns nothing where something else than the version hinders a look-up, and fails with that", async () => {
    await learner(app, "cut-off");
    const job = await startTraining(app, "cut-off", { examples: examplesOf(20) });
    const hindered = new GatheringHindered({ code: "held", detail: "A stop or pause stands against get_number." });
    const { trainer, requests } = rote();
    await train(worker, app, job, { trainer, skills: { ...runner().skills, gather: () => Promise.reject(hindered) } });
    expect(await readTraining(app, job)).toMatchObject({
      state: "failed",
      version: null,
      metrics: null,
      failure: {
        code: "held",
        detail:
          "The records of the examples could not be looked up, for a reason that is not the version's own: A stop or pause stands against get_number.",
      },
    });
    expect(requests).toEqual([]);
  });
});

describe("a training job whose worker is lost", () => {
  it("is taken up by another, and what the lost one still does counts for nothing", async () => {
    await learner(app, "orphan");
    const job = await startTraining(app, "orphan", { examples: examplesOf(20) });
    const { trainer } = rote();
    const hung = Promise.withResolvers<void>();
    const atWork = Promise.withResolvers<void>();
    const first = train(worker, app, job, {
      trainer: {
        ...trainer,
        async train(...given) {
          atWork.resolve();
          await hung.promise;
          return trainer.train(...given);
        },
      },
    });
    await atWork.promise;
    await train(worker, app, job); // it is taken: nothing to do
    expect(await rowOf(job)).toMatchObject({ state: "running", attempt: 1 });
    await lapse(job);
    await train(worker, app, job);
    const done = await readTraining(app, job);
    expect(done).toMatchObject({ state: "completed", version: 2 });
    hung.resolve();
    await first;
    expect(await readTraining(app, job)).toEqual(done);
    expect(await versionsOf("orphan")).toHaveLength(2);
  });

  it("waits after an error of the service, which is no lost worker, and is given up only after forty in a row", async () => {
    await learner(app, "broken");
    const job = await startTraining(app, "broken", { examples: examplesOf(20) });
    const skills = { ...runner().skills, gather: () => Promise.reject(new Error("the connection broke")) };
    for (let attempt = 1; attempt <= 6; attempt++) {
      await expect(train(worker, app, job, { skills })).rejects.toThrow("the connection broke");
      await train(worker, app, job); // it waits: nothing to do
      expect(await rowOf(job)).toMatchObject({ state: "running", attempt, faults: attempt });
      await lapse(job);
    }
    await app.pool.query("update training_jobs set faults = 40, attempt = 40 where id = $1", [job.job_id]);
    await train(worker, app, job);
    expect((await rowOf(job)).attempt).toBe(40);
    await worker.sweeperWith([trainingSweep]).sweep();
    expect(await readTraining(app, job)).toMatchObject({
      state: "failed",
      failure: { code: "worker_lost", detail: expect.stringContaining("failed 40 times in a row") },
    });
  });

  it("is given up although another one, which is older, cannot be", async () => {
    const jobs: TrainingJob[] = [];
    for (const agent of ["faulty", "waiting"]) {
      await learner(app, agent);
      jobs.push(await startTraining(app, agent, { examples: examplesOf(10) }));
    }
    const [faulty, waiting] = jobs as [TrainingJob, TrainingJob];
    await app.pool.query(
      `update training_jobs set state = 'running', attempt = 5, lease_until = now(), id = case when id = $1 then 'no-id' else id end where id = any($2)`,
      [faulty.job_id, [faulty.job_id, waiting.job_id]],
    );
    await worker.sweeperWith([trainingSweep]).sweep();
    const told = worker.faults.splice(0).map((fault) => String((fault as { cause?: unknown }).cause));
    expect(told).toContain("AggregateError: 1 training jobs could not be given up");
    expect(await readTraining(app, waiting)).toMatchObject({ state: "failed", failure: { code: "worker_lost" } });
    await app.pool.query("delete from training_jobs where id = 'no-id'");
  });

  it("is found by the sweep where its lease lapsed or its wake-up was lost, and woken once", async () => {
    const jobs: TrainingJob[] = [];
    for (const agent of ["idle-one", "idle-two", "idle-three"]) {
      await learner(app, agent);
      jobs.push(await startTraining(app, agent, { examples: examplesOf(10) }));
    }
    const [lapsed, forgotten, fresh] = jobs as [TrainingJob, TrainingJob, TrainingJob];
    await app.pool.query("update training_jobs set state = 'running', attempt = 1, lease_until = now() where id = $1", [
      lapsed.job_id,
    ]);
    await app.pool.query("update training_jobs set created_at = now() - interval '6 seconds' where id = $1", [
      forgotten.job_id,
    ]);
    await app.pool.query("update training_jobs set created_at = now() + interval '1 minute' where id = $1", [
      fresh.job_id,
    ]);
    await app.pool.query("delete from graphile_worker._private_jobs");
    for (let look = 0; look < 2; look++) await worker.sweeperWith([trainingSweep]).sweep();
    const { rows } = await app.pool.query("select key from graphile_worker._private_jobs order by key");
    expect(rows.map(({ key }) => key)).toEqual([lapsed.job_id, forgotten.job_id].sort());
    await app.pool.query("update training_jobs set state = 'failed' where state in ('queued', 'running')");
  });

  it("drops a wake-up that names nothing", async () => {
    for (const id of ["", "trn_none"]) await train(worker, app, { job_id: id } as TrainingJob);
    expect(worker.faults).toEqual([]);
  });
});

describe("choosing demonstrations for a provider's model", () => {
  const kindOf = (text: string) => (Number(text.split(" ")[1]) % 2 ? "odd" : "even");

  it("shows the candidate examples within the budget, and measures it against the version before by real runs", async () => {
    await learner(app, "shown", { model: hosted });
    const job = await startTraining(app, "shown", {
      examples: examplesOf(40),
      budget: { prompt_tokens: 200, runs: 12 },
    });
    const { skills, runs } = runner((version, text) =>
      completed(version === job.base_version_id ? "even" : kindOf(text)),
    );
    await train(worker, app, job, { skills });
    const done = await readTraining(app, job);
    expect(done).toMatchObject({
      state: "completed",
      version: 2,
      method: "demonstrations",
      cost_usd: expect.closeTo(0.12, 10),
    });
    expect(done.metrics).toMatchObject({ n: 6, after: 1, fields: [], ece: null });
    expect(runs).toHaveLength(12);
    const { definition } = (await app.call("GET", "/v1/agents/shown/versions/2")).body;
    const { examples } = definition.skills[0];
    expect(done.demonstrations).toEqual({ chosen: examples.length, prompt_tokens: expect.any(Number) });
    expect(done.demonstrations?.prompt_tokens).toBeLessThanOrEqual(200);
    const shown = new Set(examples.map(({ input }: { input: { text: string } }) => input.text));
    expect(runs.some(({ text }) => shown.has(text))).toBe(false);
    const { rows } = await app.pool.query("select sum(outcome) as right from trust_judgements where version_id = $1", [
      done.version_id,
    ]);
    expect(rows).toEqual([{ right: 6 }]);
  });

  it("counts a run that fails by the version's own doing as one that says nothing right", async () => {
    await learner(app, "failing", { model: hosted });
    const job = await startTraining(app, "failing", { examples: examplesOf(40), budget: { runs: 8 } });
    await train(worker, app, job);
    expect((await readTraining(app, job)).metrics).toMatchObject({ n: 4, before: 0, after: 0, verdict: "unclear" });
  });

  it("ends failed with what hinders its runs, after trying again, and takes it for no evidence", async () => {
    for (const [agent, code] of [
      ["outage", "provider_unavailable"],
      ["halted", "held"],
      ["spent", "budget_exhausted"],
      ["barred", "policy_blocked"],
    ] as const) {
      await learner(app, agent, { model: hosted });
      const job = await startTraining(app, agent, { examples: examplesOf(40), budget: { runs: 12 } });
      let left = 4;
      const { skills, runs } = runner((_version, text) =>
        left-- > 0 ? completed(kindOf(text)) : failed(code, "It is out of service."),
      );
      await train(worker, app, job, { skills });
      const done = await readTraining(app, job);
      expect(done).toMatchObject({
        state: "failed",
        metrics: null,
        version: 2,
        cost_usd: expect.closeTo(0.04, 10),
        failure: {
          code,
          detail:
            "Version 2 was made, but could not be measured against version 1, for a reason that is not its own: It is out of service.",
        },
      });
      expect(runs).toHaveLength(4 + 3);
      const { rows } = await app.pool.query("select 1 from trust_judgements where version_id = $1", [done.version_id]);
      expect(rows).toEqual([]);
    }
  });

  it("goes on measuring where what hindered a run is over, and pays for what was tried", async () => {
    await learner(app, "patient", { model: hosted });
    const job = await startTraining(app, "patient", { examples: examplesOf(40), budget: { runs: 4 } });
    let down = 2;
    const { skills, runs } = runner((_version, text) =>
      down-- > 0 ? failed("provider_unavailable") : completed(kindOf(text)),
    );
    await train(worker, app, job, { skills });
    expect(await readTraining(app, job)).toMatchObject({
      state: "completed",
      cost_usd: expect.closeTo(0.06, 10),
      metrics: { n: 2, before: 1, after: 1 },
    });
    expect(runs).toHaveLength(6);
  });

  it("measures by no example that expects nothing", async () => {
    await learner(app, "open", { model: hosted });
    const given = examplesOf(20);
    const job = await startTraining(app, "open", { examples: given, held_out: 0.5 });
    await app.pool.query("update training_jobs set examples = $2 where id = $1", [
      job.job_id,
      JSON.stringify(given.map(({ input, output }, n) => ({ input, output: n % 2 ? output : {} }))),
    ]);
    const { skills, runs } = runner((_version, text) => completed(kindOf(text)));
    await train(worker, app, job, { skills });
    const done = await readTraining(app, job);
    expect(runs.map(({ text }) => kindOf(text))).toEqual(runs.map(() => "odd"));
    expect(done.metrics?.n).toBe(runs.length / 2);
    expect(done.metrics?.n).toBeLessThan(done.examples?.held_out ?? 0);
  });

  it("stops measuring when the money is used up", async () => {
    await learner(app, "poor", { model: hosted });
    const job = await startTraining(app, "poor", { examples: examplesOf(40), budget: { cost_usd: 0.05 } });
    const { skills, runs } = runner((_version, text) => completed(kindOf(text)));
    await train(worker, app, job, { skills });
    expect(runs).toHaveLength(5);
    expect((await readTraining(app, job)).metrics?.n).toBe(2);
  });

  it("pays for no run twice, and makes no second candidate, when another worker goes on", async () => {
    await learner(app, "resumed", { model: hosted });
    const job = await startTraining(app, "resumed", { examples: examplesOf(40), budget: { runs: 10 } });
    let left = 5;
    const dying = runner((_version, text) =>
      left-- > 0 ? completed(kindOf(text)) : Promise.reject(new Error("the worker died")),
    );
    await expect(train(worker, app, job, { skills: dying.skills })).rejects.toThrow("died");
    await lapse(job);
    const second = runner((_version, text) => completed(kindOf(text)));
    await train(worker, app, job, { skills: second.skills });
    expect(second.runs).toHaveLength(5);
    expect((await readTraining(app, job)).metrics).toMatchObject({ n: 5, before: 1, after: 1 });
    expect(await versionsOf("resumed")).toHaveLength(2);
  });

  it("fails where not one example fits into the budget, and makes nothing new of the same examples", async () => {
    await learner(app, "long", { model: hosted });
    const long = examplesOf(12).map(({ input, output }) => ({
      input: { text: `${input.text} ${"x".repeat(900)}` },
      output,
    }));
    const job = await startTraining(app, "long", { examples: long, budget: { prompt_tokens: 100 } });
    await train(worker, app, job);
    expect((await readTraining(app, job)).failure).toMatchObject({ code: "budget_too_small" });
    await learner(app, "same", { model: hosted });
    const first = await startTraining(app, "same", { examples: examplesOf(12), budget: { runs: 2 } });
    await train(worker, app, first);
    const again = await startTraining(app, "same", { examples: examplesOf(1, 777), version: 2, budget: { runs: 2 } });
    await train(worker, app, again);
    expect(await readTraining(app, again)).toMatchObject({
      state: "completed",
      phase: "nothing new: the skill is shown these examples already",
      version: null,
      metrics: null,
    });
  });
});

describe("a training job in hand", () => {
  it("ends within two seconds of being cancelled, and makes no version", async () => {
    await learner(app, "stopped");
    const job = await startTraining(app, "stopped", { examples: examplesOf(20) });
    const atWork = Promise.withResolvers<void>();
    const trainer = {
      ...rote().trainer,
      train: (
        _request: unknown,
        { signal, progress }: { signal: AbortSignal; progress(share: number, note: string): void },
      ) =>
        new Promise<never>((_resolve, reject) => {
          progress(0.25, "learning");
          atWork.resolve();
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const work = train(worker, app, job, { trainer });
    await atWork.promise;
    await eventually(async () =>
      expect(await readTraining(app, job)).toMatchObject({ phase: "learning", progress: 0.45 }),
    );
    const began = Date.now();
    const { body } = await app.call("POST", `/v1/agents/stopped/training/${job.job_id}/cancel`, { body: {} });
    expect(body).toMatchObject({ state: "cancelled", version: null, failure: { code: "cancelled" } });
    await work;
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(await readTraining(app, job)).toEqual(body);
    expect(await versionsOf("stopped")).toHaveLength(1);
  });
});
