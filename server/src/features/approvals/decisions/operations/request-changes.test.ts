import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, decisionsOf, demand, roundsOf, serviceAccount, stateOf } from "../../testing.ts";

describe("requesting changes", () => {
  const app = useSharedApp();
  const note = "Ask for the consent of this lead first.";
  const sendBack = (id: string, key: string = "admin", body: Record<string, unknown> = { note }) =>
    app.call("POST", `/v1/approvals/${id}/request-changes`, { key, body });
  const read = async (id: string) => (await app.call("GET", `/v1/approvals/${id}`)).body;

  it("sends the action back with a note, lets the task wait and wakes nobody", async () => {
    const task_id = await ask(app);
    const { secret, memberId } = await app.member("approver");
    const { status, body } = await sendBack(task_id, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "changes_requested",
      task_status: "awaiting_approval",
      reason: note,
      decided_by: { id: memberId },
      round: 1,
      votes: [],
      if_undecided: { outcome: "waits", detail: expect.stringContaining("sent back") },
      may_decide: { allowed: false, code: "already_decided", reason: expect.stringContaining("sent back") },
    });
    const events = ["task.created", "task.approval_required"];
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "awaiting_approval",
      approval: "changes_requested",
      votes: 0,
      events,
      jobs: 0,
    });
    expect(await decisionsOf(app, task_id)).toMatchObject([
      { decision: "changes_requested", decided_by: memberId, reason: note, risk: "medium" },
    ]);
    expect((await roundsOf(app, task_id))[0]?.revision).toBe(2);
  });

  it("takes one person, however many have to approve and have approved", async () => {
    const task_id = await ask(app, { approvers: 3 });
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    expect((await sendBack(task_id)).body).toMatchObject({ status: "changes_requested", approvals: 1 });
  });

  it("answers every later decision with where it stands", async () => {
    const task_id = await ask(app);
    const { body: sent } = await sendBack(task_id);
    const late = [
      await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} }),
      await app.call("POST", `/v1/approvals/${task_id}/reject`, { key: "approver", body: { reason: "No." } }),
      await sendBack(task_id),
    ];
    for (const { status, body } of late) {
      expect([status, body.code, body.approval_status, body.decided_at]).toEqual([
        409,
        "already_decided",
        "changes_requested",
        sent.decided_at,
      ]);
    }
  });

  it("requires a note that says something", async () => {
    const task_id = await ask(app);
    for (const body of [{}, { note: "" }, { note: " \n" }, { note: "x".repeat(2001) }]) {
      const answered = await sendBack(task_id, "admin", body);
      expect([answered.status, answered.body.errors[0].pointer]).toEqual([422, "/note"]);
    }
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending" });
  });

  it("binds to the digest that is sent, and demands one where the risk is high", async () => {
    const task_id = await ask(app);
    expect(await sendBack(task_id, "admin", { note, digest: "f".repeat(64) })).toMatchObject({
      status: 409,
      body: { code: "digest_mismatch" },
    });
    await demand(app, task_id, { risk_level: "high" });
    expect(await sendBack(task_id)).toMatchObject({ status: 422, body: { errors: [{ pointer: "/digest" }] } });
    const { digest } = await read(task_id);
    expect((await sendBack(task_id, "admin", { note, digest })).status).toBe(200);
  });

  it("is for persons only, and not for who asked where another person is demanded", async () => {
    const task_id = await ask(app, { requester_allowed: false });
    expect(await sendBack(task_id, await serviceAccount(app, "approver"))).toMatchObject({
      status: 403,
      body: { code: "persons_only" },
    });
    expect(await sendBack(task_id)).toMatchObject({ status: 403, body: { code: "four_eyes" } });
    expect((await sendBack(task_id, "approver")).status).toBe(200);
  });

  it("refuses who has voted: a vote stands", async () => {
    const task_id = await ask(app, { approvers: 2 });
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { body: {} });
    expect(await sendBack(task_id)).toMatchObject({ status: 409, body: { code: "already_voted", vote: "approve" } });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending" });
  });

  it("answers wrong_state where the task no longer waits", async () => {
    const task_id = await ask(app);
    await app.pool.query("update tasks set status = 'expired' where id = $1", [task_id]);
    expect(await sendBack(task_id)).toMatchObject({ status: 409, body: { code: "wrong_state" } });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending" });
  });
});
