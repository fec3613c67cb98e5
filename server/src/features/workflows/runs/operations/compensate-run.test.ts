import type { Step } from "@aos/workflow";
import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { begin, plain, publish } from "../control.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const read = async (run: string) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body;
const untilStatus = (run: string, status: string) =>
  eventually(async () => expect(await read(run)).toMatchObject({ status }));
const undo = (run: string) => app.call("POST", `/v1/workflows/-/runs/${run}/compensate`, { body: {} });
const call = (lead: string) => ({ tool: { agent: "sales", name: "get_lead", arguments: { lead_id: `'${lead}'` } } });

it("undoes completed steps of a run that is over, and tries again what could not be undone", async () => {
  await process.worker();
  const one: Step = { id: "one", ...call("ld_1001"), compensate: call("ld_0000") };
  const two: Step = { id: "two", ...call("ld_1002"), compensate: call("ld_1001") };
  const { run_id } = await begin(app, await publish(app, { steps: [one, two], output: { n: 1 } }));
  await untilStatus(run_id, "completed");
  expect((await undo(run_id)).body).toMatchObject({ status: "compensating", finished_at: null });
  await untilStatus(run_id, "compensation_failed");
  const [first, second] = (await read(run_id)).steps;
  expect([first.undo, second.undo, second.status]).toEqual(["failed", "done", "compensated"]);
  expect((await undo(run_id)).status).toBe(202);
  await untilStatus(run_id, "compensation_failed");
  const [again] = (await read(run_id)).steps;
  expect(again.undo_task).not.toBe(first.undo_task);
  const { body } = await app.call("GET", "/v1/workflows/dead-letters");
  expect(body.data.filter((letter: { run_id: string }) => letter.run_id === run_id)).toHaveLength(1);
});

it("refuses a run of which nothing can be undone", async () => {
  await process.worker();
  const { run_id } = await begin(app, await publish(app, { steps: [plain] }));
  await untilStatus(run_id, "completed");
  const { status, body } = await undo(run_id);
  expect([status, body.code]).toEqual([409, "wrong_state"]);
});
