import { expect, it, vi } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const inLog = (audit_ref: string) =>
  vi.waitFor(async () => {
    const { rowCount } = await app.pool.query("select from audit_leaves where record_id = $1", [audit_ref]);
    expect(rowCount).toBe(1);
  });

it("counts what a key did by operation and by what the calls came to", async () => {
  const { task_id, audit_ref } = await app.dispatch();
  await app.call("GET", "/v1/tasks/tsk_01jd8x0000000000000000000a");
  const last = await app.call("GET", `/v1/tasks/${task_id}`);
  await inLog(audit_ref);
  await inLog(last.headers.get("audit-ref") as string);
  const { body: event } = await app.call("GET", `/v1/audit/events/${audit_ref}`);
  const { status, body } = await app.call("GET", `/v1/audit/actors/${event.key_id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ actor: event.key_id, complete: true });
  expect(body.records).toBe(body.allowed + body.refused + body.failed);
  const reads = body.actions.find(({ action }: { action: string }) => action === "tasks.readTask");
  expect(reads.allowed).toBeGreaterThan(0);
  expect(reads.refused).toBeGreaterThan(0);
  expect(body.keys).toHaveLength(1);
});

it("counts who did what to one object", async () => {
  const { task_id, audit_ref } = await app.dispatch();
  await inLog(audit_ref);
  const { body } = await app.call("GET", `/v1/audit/objects/task/${task_id}`);
  expect(body).toMatchObject({ object: `task:${task_id}`, records: 1, actions: [{ action: "agents.dispatchTask" }] });
  expect(body.actors).toHaveLength(1);
});

it("is empty of somebody who never called", async () => {
  const { body } = await app.call("GET", "/v1/audit/actors/mbr_01jd8x0000000000000000000e");
  expect(body).toMatchObject({ records: 0, last_at: null, first_at: null, actions: [], complete: true });
});

it("lists who read the log, this reading too", async () => {
  const { headers } = await app.call("GET", "/v1/audit/events");
  await inLog(headers.get("audit-ref") as string);
  const { body } = await app.call("GET", "/v1/audit/access-log?limit=100");
  expect(body.data.every(({ action }: { action: string }) => action.startsWith("audit."))).toBe(true);
  expect(body.data.map(({ audit_ref }: { audit_ref: string }) => audit_ref)).toContain(headers.get("audit-ref"));
});
