import { binOf } from "@aos/rollup";
import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { type Fact, storeFacts } from "../rollups/rollup.fixture.ts";

const app = useApp();
const day = 86_400_000;

it("shows the largest rows with their percentiles, however many keys there are", async () => {
  const keys = 8_000;
  const at = Date.now() - day;
  const facts = Array.from({ length: keys + 19 }, (_none, number): Fact => {
    const key = number < keys ? `key_${number}` : "key_7";
    return {
      at,
      dimensions: { agent: "sales", status: "completed", key },
      sums: { n: 1, ended: 1, duration_ms: 2_000 },
      bins: { duration: [[binOf(2_000), 1]], queue_time: [[binOf(10), 1]] },
    };
  });
  await storeFacts({ pool: app.pool, scope: app.scope, family: "tasks", labels: [] }, facts);
  const { status, body } = await app.call("GET", "/v1/analytics/usage?by=key&limit=3");
  expect(status).toBe(200);
  expect(body.rows).toHaveLength(3);
  expect(body.more).toBe(true);
  expect(body.rows[0]).toMatchObject({ key: { key: "key_7" }, figures: { tasks: { value: 20 } } });
  expect(Math.abs(body.rows[0].figures.duration_p90.value - 2)).toBeLessThan(0.02);
  expect(body.rows[1].figures.duration_p90).toMatchObject({ value: null, low: null, n: 1 });
});
