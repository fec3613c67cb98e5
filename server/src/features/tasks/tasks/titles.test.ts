import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp();

it("leads a task, its approval and the notification with what its skill's template makes of the input, also after an edit", async () => {
  const { task_id } = await app.dispatch({ lead_id: "ld_1001", require_approval: true });
  const read = async (path: string) => (await app.call("GET", path)).body;
  expect(await read(`/v1/tasks/${task_id}`)).toMatchObject({ title: "Qualify lead ld_1001" });
  const approval = await read(`/v1/approvals/${task_id}`);
  expect(approval).toMatchObject({
    title: "Qualify lead ld_1001",
    summary: expect.stringMatching(/^Qualify lead ld_1001: sales asks to run qualify_lead\. /),
  });
  const { data: events } = await read(`/v1/tasks/${task_id}/events`);
  expect(events.at(-1).data.summary).toBe(approval.summary);
  const body = { edits: { lead_id: "ld_1002" }, digest: approval.digest };
  await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: app.key("approver"), body });
  expect(await read(`/v1/approvals/${task_id}`)).toMatchObject({ round: 2, title: "Qualify lead ld_1002" });
  expect(await read(`/v1/tasks/${task_id}`)).toMatchObject({ title: "Qualify lead ld_1002" });
});
