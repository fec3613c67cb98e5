import { createTrainer } from "@aos/builtin-model";
import { expect, it } from "vitest";
import {
  examplesOf,
  learner,
  readTraining,
  startTraining,
  train,
} from "../features/agents/training/training.fixture.ts";
import type { Reader } from "../kernel/db.ts";
import { useApp } from "../testing/app.ts";
import { eventually } from "../testing/tasks.ts";
import { useWorkerProcess } from "../testing/worker.ts";

/** Statements that failed with a fault that passes, and artifacts that were read. */
const seen = { faults: 0, loads: 0 };
const faults: Readonly<Record<string, Error>> = {
  "select digest, artifact": new Error("timeout exceeded when trying to connect"),
  "select digest from skill_models": Object.assign(new Error("canceling statement"), { code: "57014" }),
};

/** The first two of each kind of statement fail. */
function faulty(db: Reader): Reader {
  const left = new Map(Object.keys(faults).map((text) => [text, 2]));
  return {
    load: db.load,
    query(text, values) {
      const found = Object.keys(faults).find((begin) => text.includes(begin));
      const n = found === undefined ? 0 : (left.get(found) ?? 0);
      if (found !== undefined && n > 0) {
        left.set(found, n - 1);
        seen.faults++;
        return Promise.reject(faults[found]);
      }
      if (text.includes("select digest, artifact")) seen.loads++;
      return db.query(text, values);
    },
  };
}

const app = useApp();
const worker = useWorkerProcess(app, { trained: true, between: faulty });

it("loads a cold model once for 64 tasks at a time, outlasts faults of the database, and fails none of them", async () => {
  await learner(app, "cold", { looks: false });
  const job = await startTraining(app, "cold", { examples: examplesOf(60) });
  await train(worker, app, job, { trainer: createTrainer() });
  const { version } = await readTraining(app, job);
  await app.call("POST", "/v1/agents/cold/deployments", { body: { version } });
  await worker.refresh();
  const tasks = 200;
  for (let from = 0; from < tasks; from += 100) {
    const items = Array.from({ length: 100 }, (_, n) => ({ agent: "cold", task: "sort", text: `number ${from + n}` }));
    expect((await app.call("POST", "/v1/tasks/batch", { body: { items } })).body).toMatchObject({ succeeded: 100 });
  }
  const running = await worker.worker({ concurrency: 64 });
  const states = async () =>
    (await app.pool.query("select status, failure, count(*)::int as n from tasks where agent = 'cold' group by 1, 2"))
      .rows;
  await eventually(async () => expect(await states()).toEqual([{ status: "completed", failure: null, n: tasks }]));
  expect(seen).toEqual({ faults: 4, loads: 1 });
  await running.stop(20_000);
}, 60_000);
