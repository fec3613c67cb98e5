import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { insertStep, insertTask } from "./facts.fixture.ts";
import { rollUp } from "./testing.ts";

const app = useApp();

beforeAll(async () => {
  const task = await insertTask(app.pool, Date.now() - 60_000, { status: "completed", finished_at: new Date() });
  const step = (row: Record<string, unknown>) =>
    insertStep(app.pool, task, { started_at: new Date(Date.now() - 2_000), finished_at: new Date(), ...row });
  await step({ name: "get_lead" });
  await step({ name: "get_lead", state: "failed" });
  await step({ name: "send_mail" });
  await step({ kind: "model", name: "large", cost_usd: 0.03, tokens: 3_000 });
  await step({ kind: "model", name: "small", cost_usd: 0.001, tokens: 1_000 });
  await step({ kind: "model", name: "large", cost_usd: 0.03, tokens: 3_000 });
  await rollUp(app.pool);
});

it("tells how tools were used, those most used first", async () => {
  const { body } = await app.call("GET", "/v1/analytics/tools");
  expect(body.figures.tool_uses.value).toBe(3);
  expect(body.rows.map(({ key }: { key: unknown }) => key)).toEqual([{ name: "get_lead" }, { name: "send_mail" }]);
  expect(body.rows[0].figures.step_failures).toMatchObject({ value: 0.5, n: 2 });
});

it("tells the mix of models, their price and their tokens", async () => {
  const { body } = await app.call("GET", "/v1/analytics/models?limit=1");
  expect(body.rows).toHaveLength(1);
  expect(body.more).toBe(true);
  const [large] = body.rows;
  expect(large).toMatchObject({ model: "large", figures: { step_tokens: { value: 6_000 } } });
  expect(large.share).toBeCloseTo(2 / 3, 6);
  expect(large.usd_per_million_tokens).toBeCloseTo(10, 6);
});
