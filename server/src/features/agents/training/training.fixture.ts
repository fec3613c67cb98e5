import { createHash } from "node:crypto";
import type { Trainer, TrainingExample, TrainingRequest, TrainingResult, Yardstick } from "@aos/builtin-model";
import { canonicalJson } from "@aos/strict-json";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { SkillOutcome, SkillRunner } from "../../../kernel/skill-runner.ts";
import type { TestApp } from "../../../testing/app.ts";
import { sealsOf } from "../../../testing/tasks.ts";
import type { WorkerProcess } from "../../../testing/worker.ts";
import type { TrainingParts } from "./jobs/attempt.ts";
import { createTrainingJob } from "./jobs/training-job.ts";
import type { TrainingJob } from "./schemas.ts";

// Arranging and carrying out training jobs, with a trainer and a runner that tests can look into.

/** What a test's agent has besides its name. */
export interface LearnerOptions {
  readonly model?: object;
  readonly examples?: readonly object[];
  /** False: it looks nothing up. */
  readonly looks?: boolean;
}

const input = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
const output = { type: "object", required: ["kind"], properties: { kind: { enum: ["even", "odd"] } } };

/** Makes an agent with one version whose skill `sort` says whether a number is even. */
export async function learner(
  app: TestApp,
  agent: string,
  { model = { provider: "builtin" }, examples, looks = true }: LearnerOptions = {},
) {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "numbers" } }); // of the first of them
  if ("connection" in model)
    await app.call("POST", "/v1/admin/connections", {
      body: { name: model.connection, kind: "openai", secret: "sk-of-a-test" },
    });
  const tools = looks ? [{ name: "get_number", kind: "record", base: "numbers", effect: "read" }] : [];
  const skill = { name: "sort", input, output, tools: tools.map(({ name }) => name), ...(examples && { examples }) };
  await expectStatus(
    app.call("POST", "/v1/agents", {
      body: { agent, description: "Sorts.", model, knowledge: ["numbers"], tools, skills: [skill] },
    }),
    201,
  );
  await expectStatus(app.call("POST", `/v1/agents/${agent}/versions`, { body: {} }), 201);
}

async function expectStatus(answer: ReturnType<TestApp["call"]>, status: number) {
  const { status: got, text, body } = await answer;
  if (got !== status) throw new Error(`answered ${got}: ${text}`);
  return body;
}

/** Examples 0 to n − 1 from `from` on. */
export const examplesOf = (n: number, from = 0) =>
  Array.from({ length: n }, (_, index) => ({
    input: { text: `number ${from + index}` },
    output: { kind: (from + index) % 2 ? "odd" : "even" },
  }));

export async function startTraining(app: TestApp, agent: string, body: object = {}): Promise<TrainingJob> {
  return expectStatus(app.call("POST", `/v1/agents/${agent}/training`, { body: { skill: "sort", ...body } }), 202);
}

export async function readTraining(app: TestApp, { agent, job_id }: TrainingJob): Promise<TrainingJob> {
  return expectStatus(app.call("GET", `/v1/agents/${agent}/training/${job_id}`), 200);
}

/** A trainer that learns by heart, and says how it was used. `right`: whether what it learnt is right about an example; null: there is nothing to judge by. */
export function rote(
  right: (example: TrainingExample, learnt: boolean) => boolean | null = (_example, learnt) => learnt,
) {
  const requests: TrainingRequest[] = [];
  const yardstick: Yardstick = [{ field: "/kind", kind: "class", tolerance: 0 }];
  const judged = (examples: readonly TrainingExample[], learnt: boolean): TrainingResult["heldOut"] =>
    examples.map((example) => {
      const correct = right(example, learnt);
      return { output: example.output, correct, probability: correct === null ? null : learnt ? 0.9 : 0.5 };
    });
  const trainer: Trainer = {
    async train(request, { progress }) {
      requests.push(request);
      progress(0.5, "learning by heart");
      const artifact = Buffer.from(canonicalJson(request.train));
      return {
        artifact,
        digest: `sha256:${createHash("sha256").update(artifact).digest("hex")}`,
        seconds: 0.25,
        fields: [
          {
            field: "/kind",
            kind: "class",
            n_train: request.train.length,
            n_held_out: request.heldOut.length,
            accuracy: 1,
          },
        ],
        yardstick,
        heldOut: judged(request.heldOut, true),
      };
    },
    async evaluate(artifact, _output, examples, by) {
      if (by !== yardstick) throw new Error("judged by another yardstick than the candidate");
      return judged(examples, artifact !== null);
    },
  };
  return { trainer, requests };
}

/** A runner whose reading tools find the text's length, and whose skill answers as told. */
export function runner(
  answer: (version: string, text: string) => SkillOutcome | Promise<SkillOutcome> = () => failed("output_invalid"),
) {
  const runs: { version: string; text: string }[] = [];
  const skills: SkillRunner = {
    run({ versionId, input: given }) {
      const text = String(given.text);
      runs.push({ version: versionId, text });
      return Promise.resolve(answer(versionId, text));
    },
    gather: async ({ inputs }) => inputs.map(({ text }) => ({ measure: { length: String(text).length } })),
  };
  return { skills, runs };
}

const usage = { steps: 1, tokens: 10, costUsd: 0.01, ms: 1 };
/** A run that ended with a failure of this code. */
export const failed = (code: string, detail = "no"): SkillOutcome => ({
  kind: "failed",
  failure: { code, detail },
  usage,
});
export const completed = (kind: string): SkillOutcome => ({ kind: "completed", output: { kind }, usage, features: {} });

/** Carries a job out as a worker would. */
export async function train(
  process: WorkerProcess,
  app: TestApp,
  { job_id }: TrainingJob,
  parts: Partial<TrainingParts> = {},
): Promise<void> {
  const whole = {
    clock: systemClock,
    db: createReader(process.database.pool),
    seals: await sealsOf(app),
    inside: process.inside,
    port: app.app.port,
    ...rote(),
    ...runner(),
    ...parts,
  };
  return createTrainingJob(whole, { pauseMs: 1 })({ ...app.scope, training: job_id });
}
