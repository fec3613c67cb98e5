import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { begin, publish } from "../control.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const statusOf = async (run: string) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body.status;
const letters = async (query = "") =>
  (await app.call("GET", `/v1/workflows/dead-letters${query}`)).body.data.map(
    ({ run_id }: { run_id: string }) => run_id,
  );

it("retries, replays and settles runs that gave up, each by itself, and takes them off the dead letters", async () => {
  await process.worker();
  const workflow = await publish(app, { steps: [{ id: "fails", set: { n: "input.missing" } }] });
  const runs: string[] = [];
  for (let n = 0; n < 3; n++) runs.push((await begin(app, workflow)).run_id);
  const [retried, replayed, settled] = runs as [string, string, string];
  for (const run of runs) await eventually(async () => expect(await statusOf(run)).toBe("failed"));
  const listed = `?workflow=${workflow}`;
  expect(new Set(await letters(listed))).toEqual(new Set(runs));

  const bulk = (action: string, of: string[], query = "") =>
    app.call("POST", `/v1/workflows/runs/bulk${query}`, { body: { action, runs: of } });
  expect((await bulk("retry", [retried], "?dry_run=true")).status).toBe(200);
  expect(await statusOf(retried)).toBe("failed");
  const { body } = await bulk("replay", [replayed, "wfr_00000000000000000000000000"]);
  expect(body).toMatchObject({ succeeded: 1, failed: 1, results: [{ status: 202 }, { status: 404 }] });
  expect(body.results[0].run).toMatchObject({ trigger: "retry", trigger_id: replayed });
  await eventually(async () => expect(await statusOf(body.results[0].run.run_id)).toBe("failed"));

  const settle = { body: { action: "settle", reason: "Of the test." } };
  await app.call("POST", `/v1/workflows/${workflow}/runs/${settled}/control`, settle);
  expect(new Set(await letters(listed))).toEqual(new Set([retried, body.results[0].run.run_id]));
  expect(new Set(await letters(`${listed}&settled=true`))).toEqual(new Set([replayed, settled]));
});
