import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const item = (lead_id: string) => ({ agent: "sales", task: "qualify_lead", lead_id, require_approval: true });
const dispatchTwo = async () => {
  const { body } = await app.call("POST", "/v1/tasks/batch", { body: { items: [item("ld_1001"), item("ld_1002")] } });
  return body as { batch_id: string; results: { body: { task_id: string } }[] };
};
const stateOf = async (batch: string) => (await app.call("GET", `/v1/tasks/batches/${batch}/state`)).body;

it("counts the tasks of a batch by status, and says when all have ended", async () => {
  const { batch_id, results } = await dispatchTwo();
  await app.call("POST", `/v1/tasks/${results[0]?.body.task_id}/cancel`, { body: {} });
  const half = await stateOf(batch_id);
  expect(half).toMatchObject({ tasks: 2, ended: 1, finished: false, finished_at: null });
  expect(half.by_status).toEqual({ awaiting_approval: 1, cancelled: 1 });
  await app.call("POST", `/v1/tasks/${results[1]?.body.task_id}/cancel`, { body: {} });
  expect(await stateOf(batch_id)).toMatchObject({ ended: 2, finished: true, finished_at: expect.any(String) });
});

it("cancels only what has not ended of a batch, each task with a record of its own", async () => {
  const { batch_id, results } = await dispatchTwo();
  await app.call("POST", `/v1/tasks/${results[0]?.body.task_id}/cancel`, { body: {} });
  const { status, body } = await app.call("POST", `/v1/tasks/batches/${batch_id}/cancel`, { body: { reason: "late" } });
  expect(status).toBe(207);
  expect(body).toMatchObject({ succeeded: 1, failed: 0 });
  expect(body.results[0]).toMatchObject({ task_id: results[1]?.body.task_id, status: 202 });
  expect(body.results[0].body.failure).toEqual({ code: "cancelled", detail: "late" });
  expect(await stateOf(batch_id)).toMatchObject({ by_status: { cancelled: 2 } });
});

it("is not found where no task names the batch", async () => {
  const { status } = await app.call("GET", "/v1/tasks/batches/bat_01jd8x0000000000000000000h/state");
  expect(status).toBe(404);
});
