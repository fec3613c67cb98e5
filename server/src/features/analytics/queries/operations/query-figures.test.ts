import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { rollUp } from "../../rollups/testing.ts";

const app = useSharedApp();
const query = (body: object, headers: Record<string, string> = {}) =>
  app.call("POST", "/v1/analytics/query", { body, headers });

describe("a query", () => {
  it("answers figures with the window before and the tasks behind them, as JSON, CSV and Parquet", async () => {
    const { task_id } = await app.dispatch();
    await app.dispatch();
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: { reason: "=not needed" } });
    await rollUp(app.pool);
    const asked = {
      measures: ["tasks", "success_rate", "cost_usd"],
      dimensions: ["agent", "status"],
      where: 'skill == "qualify_lead"',
      sort: "-tasks",
      compare_to: "previous",
    };
    const { status, body } = await query(asked);
    expect(status).toBe(200);
    expect(body).toMatchObject({ time_zone: "UTC", grain: null, complete: false, more: false });
    const cancelled = body.rows.find((row: typeof body) => row.key.status === "cancelled");
    expect(cancelled).toMatchObject({
      key: { agent: "sales" },
      figures: { tasks: { value: 1, n: 1, previous: null }, success_rate: { value: 0, n: 1 } },
    });
    const { body: behind } = await app.call("GET", cancelled.figures.tasks.link);
    expect(behind.data.map((task: typeof body) => task.task_id)).toEqual([task_id]);

    const csv = await query(asked, { accept: "text/csv" });
    expect(csv.headers.get("content-type")).toContain("text/csv");
    const [head, ...lines] = csv.text.trimEnd().split("\r\n");
    expect(head).toBe(body.columns.map(({ name }: { name: string }) => name).join(","));
    expect(lines).toHaveLength(body.rows.length);
    expect(body.columns).toContainEqual(expect.objectContaining({ name: "complete", type: "boolean" }));
    expect(lines[0]?.split(",")[2]).toBe("false");

    const response = await fetch(`${app.url}/v1/analytics/query`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${app.key("admin")}`,
        accept: "application/vnd.apache.parquet",
        "content-type": "application/json",
      },
      body: JSON.stringify(asked),
    });
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() });
    expect(rows.find((row) => row.status === "cancelled")).toMatchObject({
      agent: "sales",
      tasks: 1n,
      success_rate: 0,
      tasks_previous: null,
      complete: false,
      from: new Date(body.from),
    });
  });

  it("is refused with the member that is wrong and what to do", async () => {
    const wrong = async (body: object) => {
      const answer = await query({ measures: ["tasks"], ...body });
      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_body" } });
      return answer.body.errors[0];
    };
    expect(await wrong({ where: 'agnt == "x"' })).toMatchObject({ pointer: "/where", code: "unknown_dimension" });
    expect(await wrong({ sort: "-task" })).toMatchObject({
      pointer: "/sort",
      detail: expect.stringContaining("did you mean tasks?"),
    });
    expect(await wrong({ to: "9999-01-01T00:00:00Z" })).toMatchObject({ pointer: "/to", code: "too_late" });
    expect((await query({ measures: ["tasks"], where: 'agnt == "x"' })).body.detail).toMatch(/did you mean agent\?$/);
    expect(await wrong({ grain: "minute" })).toMatchObject({ pointer: "/grain", code: "too_many_points" });
    expect(await wrong({ dimensions: ["colour"] })).toMatchObject({ pointer: "/dimensions" });
    expect(await wrong({ compare_to: "2026-01-01T00:00:01Z" })).toMatchObject({ pointer: "/compare_to" });
  });
});
