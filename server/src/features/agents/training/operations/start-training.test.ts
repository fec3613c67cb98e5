import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { sealEnded } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { examplesOf, learner, readTraining, rote, startTraining, train } from "../training.fixture.ts";

const app = useSharedApp();
const worker = useWorkerProcess(app);
const start = (agent: string, body: object, key = "builder") =>
  app.call("POST", `/v1/agents/${agent}/training`, { key, body: { skill: "sort", ...body } });
const end = (agent: string) => app.pool.query("update training_jobs set state = 'failed' where agent = $1", [agent]);

describe("starting a training job", () => {
  it("is answered 202 with where to look, and wakes a worker", async () => {
    await learner(app, "beginner");
    const { status, headers, body } = await start("beginner", { examples: examplesOf(10), note: "First." });
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`/v1/agents/beginner/training/${body.job_id}`);
    expect(body).toMatchObject({
      agent: "beginner",
      skill: "sort",
      state: "queued",
      progress: 0,
      method: "model",
      base_version: 1,
      version: null,
      seed: 0,
      held_out: 0.2,
      examples: null,
      metrics: null,
      failure: null,
      note: "First.",
    });
    const { rows } = await app.pool.query("select payload from graphile_worker._private_jobs where key = $1", [
      body.job_id,
    ]);
    expect(rows.map(({ payload }) => payload)).toEqual([{ ...app.scope, training: body.job_id }]);
  });

  it("goes out from the version that is named, else the live one, else the newest", async () => {
    await learner(app, "versioned");
    await app.call("PATCH", "/v1/agents/versioned", {
      body: { description: "Sorts more." },
      headers: await matching("versioned"),
    });
    await app.call("POST", "/v1/agents/versioned/versions", { body: {} });
    const base = async (body: object) => {
      const { base_version } = (await start("versioned", { examples: examplesOf(10), ...body })).body;
      await end("versioned");
      return base_version;
    };
    expect(await base({})).toBe(2);
    await app.call("POST", "/v1/agents/versioned/deployments", { body: { version: 1 } });
    expect(await base({})).toBe(1);
    expect(await base({ version: 2 })).toBe(2);
    expect(await start("versioned", { examples: examplesOf(10), version: 9 })).toMatchObject({
      status: 409,
      body: { code: "no_version" },
    });
  });

  async function matching(agent: string) {
    return { "if-match": (await app.call("GET", `/v1/agents/${agent}`)).headers.get("etag") ?? "" };
  }

  it("is refused while another job of the skill is open, and for an archived agent", async () => {
    await learner(app, "busy");
    const { body } = await start("busy", { examples: examplesOf(10) });
    expect(await start("busy", { examples: examplesOf(10) })).toMatchObject({
      status: 409,
      body: { code: "training_in_progress", job_id: body.job_id },
    });
    await end("busy");
    await app.call("DELETE", "/v1/agents/busy", { body: { reason: "Not needed." } });
    expect(await start("busy", { examples: examplesOf(10) })).toMatchObject({
      status: 409,
      body: { code: "agent_archived" },
    });
  });

  it("is refused where there is too little to learn from, all sources together", async () => {
    await learner(app, "scarce", { examples: examplesOf(4, 100) });
    const refused = await start("scarce", { examples: examplesOf(5) });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "too_few_examples", detail: expect.stringContaining("9 examples") },
    });
    expect((await start("scarce", { examples: examplesOf(6) })).status).toBe(202);
  });

  it("is refused for a skill that the version has not, or that describes no output", async () => {
    await learner(app, "mute");
    const unknown = await start("mute", { skill: "sotr", examples: examplesOf(10) });
    expect(unknown.body.errors).toEqual([
      { pointer: "/skill", code: "unknown_skill", detail: expect.stringContaining("did you mean sort?") },
    ]);
    await app.pool.query(
      "update agent_versions set definition = definition #- '{skills,0,output}' where agent = 'mute'",
    );
    expect((await start("mute", { examples: examplesOf(10) })).body.errors).toMatchObject([
      { pointer: "/skill", code: "no_output" },
    ]);
  });

  it("is refused with every example that the skill would not take or answer, in its place", async () => {
    await learner(app, "strict");
    const examples = [
      ...examplesOf(10),
      { input: { text: 7 }, output: { kind: "odd" } },
      { input: { text: "x" }, output: { kind: "neither" } },
    ];
    const { status, body } = await start("strict", { examples });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/examples/10/input/text",
      "/examples/11/output/kind",
    ]);
  });

  it("takes a budget for a provider's model only", async () => {
    await learner(app, "thrifty");
    expect((await start("thrifty", { examples: examplesOf(10), budget: { runs: 4 } })).body.errors).toMatchObject([
      { pointer: "/budget", code: "not_applicable" },
    ]);
    await learner(app, "hosted", { model: { provider: "openai", name: "some-model", connection: "main" } });
    expect((await start("hosted", { examples: examplesOf(10), budget: { runs: 4 } })).body).toMatchObject({
      method: "demonstrations",
    });
  });

  it("takes a dataset of the same skill, by name or id, and no other", async () => {
    await learner(app, "tested");
    await learner(app, "untested");
    const items = examplesOf(10).map(({ input, output }) => ({ input, expected: output }));
    const made = await app.call("POST", "/v1/evaluations/datasets", {
      body: { name: "numbers", agent: "tested", skill: "sort", items },
    });
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect((await start("tested", { dataset: "numbers" })).status).toBe(202);
    for (const [agent, dataset] of [
      ["untested", "numbers"],
      ["untested", "none"],
    ] as const) {
      expect((await start(agent, { dataset })).body.errors).toMatchObject([
        { pointer: "/dataset", code: "unknown_dataset" },
      ]);
    }
  });

  it("needs of a narrowed key the scopes to read what it learns from", async () => {
    await learner(app, "narrow");
    const { secret, keyId } = await app.member("admin");
    await app.pool.query("update keys set scopes = '{agents:write}' where id = $1", [keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    const refused = async (body: object) =>
      (await start("narrow", { examples: examplesOf(10), ...body }, secret)).body.missing_scope;
    expect(await refused({ feedback: true })).toBe("tasks:read");
    expect(await refused({ dataset: "numbers" })).toBe("evaluations:read");
    expect((await start("narrow", { examples: examplesOf(10) }, secret)).status).toBe(202);
  });
});

describe("what a training job learns from", () => {
  const learnt = async (agent: string, body: object) => {
    const { trainer, requests } = rote();
    const job = await startTraining(app, agent, body);
    await train(worker, app, job, { trainer });
    const done = await readTraining(app, job);
    return { done, request: requests[0]! };
  };

  /** Deploys version 1, and has a task of it corrected that said a number is odd. */
  async function corrected(agent: string, number: number) {
    await app.call("POST", `/v1/agents/${agent}/deployments`, { body: { version: 1 } });
    const body = { task: "sort", text: `number ${number}`, require_approval: true };
    const { task_id } = (await app.call("POST", `/v1/agents/${agent}/tasks`, { body })).body;
    await app.pool.query(
      `update tasks set status = 'completed', output = '{"kind":"odd"}', finished_at = now() where id = $1`,
      [task_id],
    );
    await sealEnded(app);
    const said = await app.call("POST", `/v1/tasks/${task_id}/feedback`, { body: { correction: { kind: "even" } } });
    expect([said.status, said.text]).toEqual([201, said.text]);
    return task_id as string;
  }

  it("is not feedback on a task that was changed in the database, and it says so", async () => {
    await learner(app, "wary");
    const task = await corrected("wary", 200);
    await app.pool.query(`update tasks set input = '{"text":"number 7"}' where id = $1`, [task]);
    const { done, request } = await learnt("wary", { examples: examplesOf(10) });
    expect(done.examples).toMatchObject({ given: 10, feedback: 0, used: 10, not_intact: 1 });
    expect([...request.train, ...request.heldOut].find(({ input }) => input.text === "number 7")?.output).toEqual({
      kind: "odd",
    });
    const refused = await start("wary", { examples: examplesOf(9), feedback: true });
    expect(refused.body).toMatchObject({
      code: "too_few_examples",
      detail: expect.stringContaining("result_not_intact"),
    });
  });

  it("is what was given, the dataset as it stood, the definition's own examples and feedback, each once", async () => {
    await learner(app, "eager", { examples: examplesOf(2, 300) });
    const items = examplesOf(8, 100).map(({ input, output }) => ({ input, expected: output }));
    await app.call("POST", "/v1/evaluations/datasets", {
      body: { name: "eager-set", agent: "eager", skill: "sort", items },
    });
    await corrected("eager", 200);
    const job = await startTraining(app, "eager", {
      examples: examplesOf(10),
      dataset: "eager-set",
      seed: 5,
      held_out: 0.3,
    });
    const more = examplesOf(3, 500).map(({ input, output }) => ({ input, expected: output }));
    await app.call("POST", "/v1/evaluations/datasets/eager-set/items", { body: { items: more } }); // comes too late
    const { trainer, requests } = rote();
    await train(worker, app, job, { trainer });
    const done = await readTraining(app, job);
    expect(done.examples).toEqual({
      given: 10,
      dataset: 8,
      feedback: 1,
      earlier: 0,
      definition: 2,
      duplicates: 0,
      used: 21,
      train: 15,
      held_out: 6,
    });
    const [request] = requests;
    const all = [...request!.train, ...request!.heldOut];
    expect(all).toHaveLength(21);
    expect(all.find(({ input }) => input.text === "number 200")?.output).toEqual({ kind: "even" });
    expect(request).toMatchObject({ seed: 5, output: { properties: { kind: { enum: ["even", "odd"] } } } });
    const { input, records } = all[0] as (typeof all)[0];
    expect(records).toEqual({ measure: { length: String(input.text).length } });
  });

  it("is no task for a provider's model, unless that is said: what its version shows is read from every environment", async () => {
    await learner(app, "discreet", { model: { provider: "openai", name: "some-model", connection: "main" } });
    await corrected("discreet", 200);
    const few = await start("discreet", { examples: examplesOf(9) });
    expect(few.body).toMatchObject({
      code: "too_few_examples",
      detail: expect.stringContaining("unless `feedback` is true"),
    });
    const shown = async (body: object) => {
      const job = await startTraining(app, "discreet", {
        examples: examplesOf(10),
        held_out: 0.05,
        budget: { runs: 2, prompt_tokens: 5_000 },
        ...body,
      });
      await train(worker, app, job);
      const { version, examples } = await readTraining(app, job);
      const read = await app.call("GET", `/v1/agents/discreet/versions/${version}`, {
        key: "viewer",
        environment: "production",
      });
      const { input } =
        read.body.definition.skills[0].examples.find(
          (one: { input: object }) => "text" in one.input && one.input.text === "number 200",
        ) ?? {};
      return { feedback: examples?.feedback, input };
    };
    expect(await shown({ version: 1 })).toEqual({ feedback: 0, input: undefined });
    expect(await shown({ version: 1, feedback: true })).toEqual({ feedback: 1, input: { text: "number 200" } });
  });

  it("is the input alone where the skill has no tools to look anything up", async () => {
    await learner(app, "blind", { looks: false });
    const { request } = await learnt("blind", { examples: examplesOf(10) });
    expect(request.train.map(({ records }) => records)).toEqual(request.train.map(() => ({})));
  });

  it("is not feedback where that is not wanted", async () => {
    const { done } = await learnt("eager", { examples: examplesOf(10), feedback: false });
    expect(done.examples?.feedback).toBe(0);
  });

  it("is held out in the share that is asked for, and again with the same seed", async () => {
    await learner(app, "steady");
    const held = async (body: object) => {
      const { request } = await learnt("steady", { examples: examplesOf(20), ...body });
      return request.heldOut.map(({ input }) => input.text).sort();
    };
    const first = await held({ held_out: 0.25 });
    expect(first).toHaveLength(5);
    expect(await held({ held_out: 0.25 })).toEqual(first);
    expect(await held({ held_out: 0.25, seed: 9 })).not.toEqual(first);
    expect(await held({})).toHaveLength(4);
  });
});
