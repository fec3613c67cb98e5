import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { begin, publish, waiting } from "./control.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const statusOf = async (run: string) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body.status;
const control = (run: string, body: object) => app.call("POST", `/v1/workflows/-/runs/${run}/control`, { body });

it("queues runs beyond the limit, and lets them begin in their order as others end", async () => {
  await process.worker();
  const concurrency = { key: "input.team", limit: 2 };
  const workflow = await publish(app, { steps: [waiting], concurrency });
  const runs: string[] = [];
  for (let n = 0; n < 5; n++) runs.push((await begin(app, workflow, { input: { team: "a" } })).run_id);
  const other = (await begin(app, workflow, { input: { team: "b" } })).run_id;
  const all = () => Promise.all(runs.map(statusOf));
  await eventually(async () => expect(await statusOf(other)).toBe("waiting"));
  await eventually(async () => expect(await all()).toEqual(["waiting", "waiting", "queued", "queued", "queued"]));
  // Two places are free at once, and one of the queue does not want one any more.
  await Promise.all([runs[0], runs[1], runs[2]].map((run) => control(run as string, { action: "cancel" })));
  await eventually(async () =>
    expect(await all()).toEqual(["cancelled", "cancelled", "cancelled", "waiting", "waiting"]),
  );
});

it("takes its turn again where it was paused before it began", async () => {
  await process.worker();
  const workflow = await publish(app, { steps: [waiting], concurrency: { key: "input.team", limit: 1 } });
  const first = (await begin(app, workflow, { input: { team: "p" } })).run_id;
  await eventually(async () => expect(await statusOf(first)).toBe("waiting"));
  const second = (await begin(app, workflow, { input: { team: "p" } })).run_id;
  await control(second, { action: "pause" });
  await eventually(async () => expect(await statusOf(second)).toBe("paused"));
  expect((await control(second, { action: "resume" })).body.status).toBe("queued");
  await control(first, { action: "cancel" });
  await eventually(async () => expect(await statusOf(second)).toBe("waiting"));
});

it("begins the first of a queue that nobody woke when its place became free", async () => {
  await process.worker();
  const workflow = await publish(app, { steps: [waiting], concurrency: { key: "input.team", limit: 1 } });
  const first = (await begin(app, workflow, { input: { team: "l" } })).run_id;
  await eventually(async () => expect(await statusOf(first)).toBe("waiting"));
  const second = (await begin(app, workflow, { input: { team: "l" } })).run_id;
  await eventually(async () =>
    expect((await app.pool.query("select from graphile_worker._private_jobs")).rows).toEqual([]),
  );
  await app.pool.query("update workflow_runs set status = 'cancelled', finished_at = now() where id = $1", [first]);
  await app.pool.query("update workflow_runs set updated_at = now() - interval '10 seconds' where id = $1", [second]);
  await eventually(async () => {
    await process.sweeper.sweep();
    expect(await statusOf(second)).toBe("waiting");
  });
});

it("queues a run that is opened again while its place is taken", async () => {
  await process.worker();
  const concurrency = { key: "input.team", limit: 1 };
  const fails = { id: "fails", set: { n: "input.missing" } };
  const workflow = await publish(app, { steps: [fails, waiting], concurrency });
  const first = (await begin(app, workflow, { input: { team: "a" } })).run_id;
  await eventually(async () => expect(await statusOf(first)).toBe("failed"));
  const second = (await begin(app, workflow, { input: { team: "a", missing: 1 } })).run_id;
  await eventually(async () => expect(await statusOf(second)).toBe("waiting"));
  expect((await control(first, { action: "skip", step: "fails" })).body.status).toBe("queued");
  await control(second, { action: "cancel" });
  await eventually(async () => expect(await statusOf(first)).toBe("waiting"));
});
