import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const dispatch = (label: string) =>
  app.dispatch({ lead_id: "ld_1001", require_approval: true, labels: [label] } as never);
const cancel = (body: object, key?: string) =>
  app.call("POST", "/v1/tasks/cancel", key === undefined ? { body } : { body, key });

it("counts first, and cancels only by the number that was counted", async () => {
  const filter = { label: "counted" };
  await dispatch("counted");
  const counted = await cancel({ filter });
  expect(counted.body).toMatchObject({ matched: 1, succeeded: 0, results: [] });
  await dispatch("counted");
  const stale = await cancel({ filter, count: 1 });
  expect(stale.status).toBe(409);
  expect(stale.body.detail).toBe(
    "You expected 1 task, and the filter finds 2 tasks now. Call again without `count`, look at what it finds, then give that number.",
  );
  const { body } = await cancel({ filter, count: 2, reason: "called off" });
  expect(body).toMatchObject({ matched: 2, succeeded: 2, failed: 0 });
  expect((await cancel({ filter })).body.matched).toBe(0);
});

it("refuses a filter without a condition, which would find everything", async () => {
  const { status, body } = await cancel({ filter: {} });
  expect(status).toBe(422);
  expect(body.errors[0].pointer).toBe("/filter");
});
