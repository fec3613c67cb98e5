import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { approvalOf, approve, leaseOn } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { approvalsOf, underPolicy } from "../../runs/testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const start = (task: string) => process.port.start(leaseOn(app, task));
const act = (task: string, word: string, key: string, body: object = {}) =>
  app.call("POST", `/v1/approvals/${task}/${word}`, { key, body });
const read = async (task: string, key = "approver") => (await app.call("GET", `/v1/approvals/${task}`, { key })).body;
const approveShown = async (task: string, key: string) =>
  act(task, "approve", key, { digest: (await read(task)).digest });
const waits = { claimed: false, reason: "awaiting_approval" };

/** Cancels a task and tries it again, as an operator may who decides nothing. */
async function cancelAndRetry(task: string): Promise<void> {
  const { secret } = await app.member("operator");
  for (const word of ["cancel", "retry"]) {
    const { status, text } = await app.call("POST", `/v1/tasks/${task}/${word}`, { key: secret, body: {} });
    expect(status, text).toBe(202);
  }
}

/** A task that only policies about dispatches put before people. */
async function underDemand(params: object, work: (task: string) => Promise<void>): Promise<void> {
  const definition = {
    scope: { actions: ["task.dispatch"] },
    effect: "require_approval",
    params,
    message: "Somebody has to look.",
  };
  await underPolicy(app, process, definition, async () => {
    const { task_id, status } = await app.dispatch({ require_approval: false });
    expect(status).toBe("awaiting_approval");
    await work(task_id);
  });
}

describe("an approval that a task waited for when it was cancelled and tried again", () => {
  it("is asked for again, though nothing is demanded at the start any more", async () => {
    await underDemand({ approvers: 2, requester_allowed: false }, async (task) => {
      await cancelAndRetry(task);
      expect(await start(task)).toEqual(waits);
      expect(await approvalsOf(app, task)).toMatchObject([
        { status: "cancelled" },
        {
          status: "pending",
          approvers: 2,
          requester_allowed: false,
          reasons: expect.arrayContaining(["Somebody has to look."]),
        },
      ]);
      await approve(app, task);
      expect(await start(task)).toEqual({ claimed: false, reason: "not_queued" });
      await approve(app, task);
      expect(await start(task)).toMatchObject({ claimed: true });
      expect(await approvalOf(app, task)).toBe("consumed");
    });
  });

  it("is asked for at the strictest of what was demanded then and is demanded now, however often", async () => {
    await underDemand({ approvers: 1, requester_allowed: false }, async (task) => {
      await underPolicy(
        app,
        process,
        { scope: { actions: ["task.run"] }, effect: "require_approval", params: { approvers: 2 } },
        async () => {
          await cancelAndRetry(task);
          expect(await start(task)).toEqual(waits);
        },
      );
      await cancelAndRetry(task);
      expect(await start(task)).toEqual(waits);
      expect((await approvalsOf(app, task)).at(-1)).toMatchObject({
        status: "pending",
        approvers: 2,
        requester_allowed: false,
      });
      expect(await read(task)).toMatchObject({ round: 3, digest_matches: true });
    });
  });

  it("is not given by who edited what would run", async () => {
    await underDemand({ approvers: 1, requester_allowed: false }, async (task) => {
      const editor = await app.member("admin");
      const { digest, approval_id: first } = await read(task);
      const edits = { lead_id: "ld_1002" };
      expect((await act(task, "approve", editor.secret, { digest, edits })).body).toMatchObject({
        status: "pending",
        round: 2,
      });
      await cancelAndRetry(task);
      expect(await start(task)).toEqual(waits);
      const asked = await read(task);
      expect(asked).toMatchObject({
        round: 3,
        edited_by: { id: editor.memberId },
        action: { arguments: edits },
        requester_allowed: false,
      });
      expect(await approveShown(task, editor.secret)).toMatchObject({ status: 403, body: { code: "four_eyes" } });
      expect((await approveShown(task, "approver")).body).toMatchObject({ status: "approved" });
      expect(await start(task)).toMatchObject({ claimed: true, run: { input: edits } });
      const before = await read(asked.previous_id);
      expect(before).toMatchObject({
        status: "cancelled",
        previous_id: first,
        action: { arguments: edits },
        digest_matches: true,
      });
    });
  });

  it("is asked for again where people had given it or sent it back before the task was cancelled", async () => {
    await underDemand({ approvers: 1 }, async (task) => {
      await approve(app, task);
      await cancelAndRetry(task);
      expect(await start(task)).toEqual(waits);
      const { digest } = await read(task);
      expect((await act(task, "request-changes", "approver", { note: "Another lead.", digest })).status).toBe(200);
      await cancelAndRetry(task);
      expect(await start(task)).toEqual(waits);
      expect((await approvalsOf(app, task)).map(({ status }) => status)).toEqual([
        "cancelled",
        "changes_requested",
        "pending",
      ]);
    });
  });

  it("is left to the admins where it was escalated, and has the time to decide that it had", async () => {
    const { task_id: task } = await app.dispatch({
      options: { approval: { expires_in_seconds: 7_200, on_expiry: "reject" } },
    });
    expect((await act(task, "delegate", "approver", { escalate: true, reason: "Theirs." })).status).toBe(200);
    await cancelAndRetry(task);
    expect(await start(task)).toEqual(waits);
    const { escalated_by, created_at, expires_at, on_expiry, may_decide } = await read(task);
    expect([escalated_by?.kind, on_expiry, may_decide.code]).toEqual(["person", "reject", "escalated"]);
    expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000)).toBe(7_200);
  });

  it("is asked for again where people had rejected it", async () => {
    await underDemand({ approvers: 1 }, async (task) => {
      expect((await act(task, "reject", "approver", { reason: "No.", digest: (await read(task)).digest })).status).toBe(
        200,
      );
      expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} })).status).toBe(409);
      await app.pool.query("update tasks set status = 'blocked' where id = $1", [task]);
      expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} })).status).toBe(202);
      expect(await start(task)).toEqual(waits);
    });
  });

  it("is asked for again where what would have run was not what people approved", async () => {
    await underDemand({ approvers: 1 }, async (task) => {
      await approve(app, task);
      await app.pool.query(`update tasks set input = '{"lead_id":"ld_1002"}' where id = $1`, [task]);
      expect(await start(task)).toEqual({ claimed: false, reason: "blocked" });
      expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} })).body).toMatchObject({
        status: "queued",
      });
      expect(await start(task)).toEqual(waits);
      expect((await approvalsOf(app, task)).map(({ status }) => status)).toEqual(["stale", "pending"]);
    });
  });

  it("is closed where it was still open", async () => {
    const { task_id: task } = await app.dispatch();
    await app.pool.query("update tasks set status = 'blocked' where id = $1", [task]);
    expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: {} })).status).toBe(202);
    expect(await approvalOf(app, task)).toBe("cancelled");
    expect(await start(task)).toEqual(waits);
  });
});
