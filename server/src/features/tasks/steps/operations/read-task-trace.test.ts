import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

interface Span {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly kind: string;
  readonly end: string | null;
  readonly status: string;
}

it("shows dispatch, waiting and calls as one tree with the ids of OpenTelemetry, the same at each reading", async () => {
  const { task_id } = await app.dispatch({ require_approval: true });
  await app.pool.query(
    `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, failure, finished_at)
     values ('default', 'development', $1, $2, 1, 1, 'tool', 'get_lead', 'failed', '{}', '{"code":"record_not_found","detail":"None."}', now())`,
    [app.app.newId("stp"), task_id],
  );
  const { status, body } = await app.call("GET", `/v1/tasks/${task_id}/trace`);
  expect(status).toBe(200);
  expect(body.trace_id).toMatch(/^[0-9a-f]{32}$/);
  const spans = body.spans as Span[];
  expect(spans.map(({ kind }) => kind)).toEqual(["task", "approval", "attempt", "tool"]);
  const ids = new Set(spans.map(({ span_id }) => span_id));
  for (const { span_id, parent_span_id } of spans) {
    expect(span_id).toMatch(/^[0-9a-f]{16}$/);
    expect(parent_span_id === null || ids.has(parent_span_id)).toBe(true);
  }
  expect(spans[1]).toMatchObject({ end: null, status: "unset" });
  expect(spans[3]).toMatchObject({ status: "error", error: "record_not_found" });
  expect((await app.call("GET", `/v1/tasks/${task_id}/trace`)).body).toEqual(body);
});
