import { createTrainer } from "@aos/builtin-model";
import { expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { findSkillModel } from "../model-store.ts";
import { learner, readTraining, runner, startTraining, train } from "../training.fixture.ts";

// With the service's own trainer, which learns in a thread.

const app = useApp();
const worker = useWorkerProcess(app);

const about = { even: ["two", "four", "six", "eight"], odd: ["one", "three", "five", "seven"] } as const;
const taught = (["even", "odd"] as const).flatMap((kind) =>
  Array.from({ length: 60 }, (_, n) => ({
    input: { text: `the number ${about[kind][n % 4]} of case ${n}` },
    output: { kind },
  })),
);

it("learns from text", async () => {
  await learner(app, "reader");
  const job = await startTraining(app, "reader", { examples: taught });
  await train(worker, app, job, { trainer: createTrainer() });
  const done = await readTraining(app, job);
  expect(done).toMatchObject({
    state: "completed",
    version: 2,
    metrics: { n: 24, before: 0, verdict: "better", fields: [{ field: "/kind", n_train: 96, n_held_out: 24 }] },
  });
  expect(done.metrics?.after).toBeGreaterThan(0.95);
  const stored = await findSkillModel({ scope: app.scope, db: createReader(app.pool) }, done.version_id ?? "", "sort");
  expect(stored?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
}, 120_000); // threads of their own, which a machine with much to do starts late

it("learns from what the reading tools find, where the input itself says nothing", async () => {
  await learner(app, "looker");
  const blank = Array.from({ length: 80 }, (_, n) => ({
    input: { text: `t${n}${"x".repeat(n % 2)}` },
    output: { kind: n % 2 ? "odd" : "even" },
  }));
  const { skills } = runner();
  const gather: typeof skills.gather = async ({ inputs }) =>
    inputs.map(({ text }) => ({
      measure: { parity: Number(String(text).match(/\d+/)?.[0]) % 2 === 0 ? "yes" : "no" },
    }));
  const job = await startTraining(app, "looker", { examples: blank });
  await train(worker, app, job, { trainer: createTrainer(), skills: { ...skills, gather } });
  expect((await readTraining(app, job)).metrics?.after).toBeGreaterThan(0.9);
}, 120_000);

it("is done by whichever process takes the job, with records that the agent's own tools find", async () => {
  const running = await worker.worker();
  const { rows } = await app.pool.query("select external_id, fields from documents where external_id like 'ld\\_%'");
  const examples = rows.map(({ external_id, fields }) => ({
    input: { lead_id: external_id },
    output: { qualified: fields.newsletter },
  }));
  const job = await startTraining(app, "sales", { skill: "qualify_lead", examples });
  const done = await eventually(async () => {
    const now = await readTraining(app, job);
    expect(now.state).not.toMatch(/queued|running/);
    return now;
  });
  expect(done).toMatchObject({ state: "completed", failure: null, version: 2 });
  expect(done.metrics?.after).toBeGreaterThan(0.9);
  await running.stop(0);
}, 120_000);
