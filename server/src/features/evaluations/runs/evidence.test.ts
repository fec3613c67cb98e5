import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { examplesOf, learner, startTraining, train } from "../../agents/training/training.fixture.ts";
import type { EvaluationRun } from "../schemas.ts";
import { runJobOf, skillsThat } from "../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
const itemsOf = (n: number, from: number) =>
  examplesOf(n, from).map(({ input, output: expected }) => ({ input, expected }));

/** A version trained from its own examples and a dataset, evaluated over a dataset. Answers how many cases the evaluation adds to its trust. */
async function evaluate(agent: string, dataset: string): Promise<number> {
  const body = {
    kind: "exact",
    pointer: "/kind",
    samples: [{ output: { kind: "odd" }, expected: { kind: "odd" }, score: 1 }],
  };
  await app.call("PUT", "/v1/evaluations/scorers/same-kind", { body });
  const run = await app.call("POST", "/v1/evaluations/runs", { body: { dataset, version: 2, scorers: ["same-kind"] } });
  expect(run.status).toBe(202);
  const right = skillsThat(({ input: { text } }) => ({
    kind: Number(String(text).split(" ")[1]) % 2 ? "odd" : "even",
  }));
  await runJobOf(process, right)(app, run.body as EvaluationRun);
  const { rows } = await app.pool.query(
    "select count(*)::int as n from trust_judgements where agent = $1 and id like 'ds_%'",
    [agent],
  );
  return rows[0].n;
}

it("takes for evidence no item that the version was trained from, whatever dataset it stands in", async () => {
  await learner(app, "crammer");
  const set = (name: string, items: object[]) =>
    app.call("POST", "/v1/evaluations/datasets", { body: { name, agent: "crammer", skill: "sort", items } });
  await set("crammed", itemsOf(20, 100));
  await train(process, app, await startTraining(app, "crammer", { examples: examplesOf(20), datasets: ["crammed"] }));
  await app.call("POST", "/v1/evaluations/datasets/crammed/items", { body: { items: itemsOf(3, 200) } });
  await set("copied", [...itemsOf(5, 0), ...itemsOf(5, 100), ...itemsOf(4, 300)]);
  expect(await evaluate("crammer", "crammed")).toBe(3);
  expect(await evaluate("crammer", "copied")).toBe(3 + 4);
});

it("takes for evidence no item made of a task: it repeats what was said of the task, or what nobody judged", async () => {
  await learner(app, "repeater");
  await train(process, app, await startTraining(app, "repeater", { examples: examplesOf(20) }));
  await app.call("POST", "/v1/evaluations/datasets", {
    body: { name: "repeated", agent: "repeater", skill: "sort", items: itemsOf(10, 400) },
  });
  await app.pool.query(
    "update dataset_items set source_task = 'tsk_' || name where input like '%number 400%' or input like '%number 401%'",
  );
  expect(await evaluate("repeater", "repeated")).toBe(8);
});
