import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insideRecordsOf } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { ask, endAt, eventsAbout, stateOf } from "../../testing.ts";
import { remindOfApprovals } from "../sweep.ts";
import { remind } from "./remind.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const sweep = () => machines.sweeperWith([remindOfApprovals]).sweep();
const minute = 60_000;
const told = async (task: string) => (await eventsAbout(app, "approval.expiring", task)).length;

/** An approval that was asked for and ends so many minutes from now. */
async function lasting(from: number, to: number, onExpiry: "reject" | "escalate" = "reject"): Promise<string> {
  const task_id = await ask(app);
  await endAt(app, task_id, new Date(Date.now() + to * minute), onExpiry, new Date(Date.now() + from * minute));
  return task_id;
}

it("tells once when a tenth of the time is left, or an hour where that is less", async () => {
  const due = [await lasting(-91, 9), await lasting(-60 * 24 * 9, 59)];
  const later = [await lasting(-89, 11), await lasting(-60 * 24 * 9, 61), await ask(app)];
  await sweep();
  await sweep();
  for (const task of due) expect(await told(task)).toBe(1);
  for (const task of later) expect(await told(task)).toBe(0);
});

it("says what becomes of it then, and where people decide", async () => {
  const task_id = await lasting(-91, 9, "escalate");
  await sweep();
  const { approval_id, expires_at } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
  expect(await eventsAbout(app, "approval.expiring", task_id)).toEqual([
    {
      event: "approval.expiring",
      approval_id,
      task_id,
      agent: "sales",
      risk: "medium",
      expires_at,
      on_expiry: "escalate",
      approve_url: expect.stringMatching(`/approvals/${task_id}$`),
    },
  ]);
  expect(await stateOf(app, task_id)).toMatchObject({ status: "awaiting_approval", approval: "pending" });
  expect(await insideRecordsOf(app, task_id)).toEqual(["approvals.remind allowed"]);
});

it("answers wrong_state for one that is decided, is over, or of which people were reminded", async () => {
  const [decided, over, reminded] = [await lasting(-91, 9), await lasting(-91, -1), await lasting(-91, 9)];
  await app.call("POST", `/v1/approvals/${decided}/approve`, { key: "approver", body: {} });
  await sweep();
  for (const task of [decided, over, reminded]) {
    const { approval_id } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    await expect(machines.inside(remind, app.scope, { approval: approval_id })).rejects.toMatchObject({
      type: { code: "wrong_state" },
    });
  }
  expect([await told(decided), await told(over), await told(reminded)]).toEqual([0, 0, 1]);
});
