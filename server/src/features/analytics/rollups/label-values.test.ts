import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { expectedCells, insertTask, storedCells } from "./facts.fixture.ts";
import { mostLabelValues } from "./measures.ts";
import { rollUp } from "./testing.ts";

const app = useApp();

it("keeps a thousand values of a label for good, and counts all others as `other`", async () => {
  await app.pool.query(
    `insert into settings (organization, environment, settings, author) values ('default', 'development', '{"analytics": {"labels": ["customer"]}}', 'test')`,
  );
  const at = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
  const dispatch = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, i) =>
        insertTask(app.pool, at, { labels: [`customer:c${from + i}`], status: "completed", cost_usd: 0.5 }),
      ),
    );
  await dispatch(0, mostLabelValues);
  await rollUp(app.pool);
  await dispatch(mostLabelValues - 1, mostLabelValues + 3);
  await rollUp(app.pool);
  const query = { measures: ["tasks", "cost_usd"], dimensions: ["label:customer"], sort: "-tasks", limit: 2_000 };
  const { body, text } = await app.call("POST", "/v1/analytics/query", { body: query });
  const rows = body.rows as { key: Record<string, string>; figures: Record<string, { value: number }> }[];
  expect(rows?.length, text).toBe(mostLabelValues + 1);
  const of = (value: string) => rows.find(({ key }) => key["label:customer"] === value)?.figures;
  expect(of("other")).toMatchObject({ tasks: { value: 3 }, cost_usd: { value: 1.5 } });
  expect(of(`c${mostLabelValues - 1}`)).toMatchObject({ tasks: { value: 2 } });
  expect(rows.reduce((sum, { figures }) => sum + (figures.tasks?.value ?? 0), 0)).toBe(mostLabelValues + 4);
  expect(await storedCells(app.pool)).toEqual(await expectedCells(app.pool, Date.now()));
  const costs = (label: string) => app.call("GET", `/v1/analytics/costs?label=customer:${label}`);
  expect((await costs("c7")).body.figures.cost_usd.value).toBe(0.5);
  expect((await costs("other")).body.figures.cost_usd).toMatchObject({ value: 1.5, link: null });
  expect(await costs(`c${mostLabelValues}`)).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: "label", code: "counted_as_other" }] },
  });
});
