import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, decisionsOf, demand, serviceAccount, stateOf } from "../../testing.ts";

describe("rejecting", () => {
  const app = useSharedApp();
  const reason = "This lead asked not to be contacted.";
  const reject = (id: string, key: string = "admin", body: Record<string, unknown> = { reason }) =>
    app.call("POST", `/v1/approvals/${id}/reject`, { key, body });

  it("ends the task for good with the reason, and wakes nobody", async () => {
    const { task_id, trust_score } = await app.dispatch();
    await demand(app, task_id, { risk_level: "medium" });
    const { secret, memberId } = await app.member("approver");
    const { status, body } = await reject(task_id, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "rejected",
      task_status: "rejected",
      reason,
      approvals: 0,
      decided_by: { id: memberId },
    });
    const events = ["task.created", "task.approval_required", "task.rejected"];
    const state = await stateOf(app, task_id);
    expect(state).toMatchObject({ status: "rejected", approval: "rejected", votes: 1, events, jobs: 0, trust_score });
    expect(state.finished_at).not.toBeNull();
    const task = await app.call("GET", `/v1/tasks/${task_id}`);
    expect(task.body).toMatchObject({
      status: "rejected",
      failure: { code: "rejected", detail: reason },
      approve_url: null,
    });
    expect(await decisionsOf(app, task_id)).toMatchObject([{ decision: "rejected", decided_by: memberId, reason }]);
  });

  it("takes one rejection, however many approvers are demanded and have approved", async () => {
    const task_id = await ask(app, { approvers: 2 });
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    expect((await reject(task_id)).body).toMatchObject({ status: "rejected", approvals: 1 });
    expect(await stateOf(app, task_id)).toMatchObject({ status: "rejected", votes: 2, jobs: 0 });
  });

  it("requires a reason that says something", async () => {
    const task_id = await ask(app);
    for (const body of [{}, { reason: "" }, { reason: "  \n" }, { reason: "x".repeat(2001) }]) {
      const answered = await reject(task_id, "admin", body);
      expect(answered.status).toBe(422);
      expect(answered.body.errors[0].pointer).toBe("/reason");
    }
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("answers a late approval of what was rejected with the final state", async () => {
    const task_id = await ask(app);
    const { body: decided } = await reject(task_id);
    const { status, body } = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "already_decided",
      approval_status: "rejected",
      decided_by: decided.decided_by.id,
      decided_at: decided.decided_at,
    });
    expect((await reject(task_id)).body.code).toBe("already_decided");
    expect(await stateOf(app, task_id)).toMatchObject({ status: "rejected", votes: 1, jobs: 0 });
  });

  it("is for persons only, and not for who asked where another person is demanded", async () => {
    const task_id = await ask(app);
    expect(await reject(task_id, await serviceAccount(app, "approver"))).toMatchObject({
      status: 403,
      body: { code: "persons_only" },
    });
    await demand(app, task_id, { requester_allowed: false });
    expect(await reject(task_id)).toMatchObject({ status: 403, body: { code: "four_eyes" } });
    expect((await reject(task_id, "approver")).status).toBe(200);
  });

  it("binds to the digest that is sent, and demands one where the risk is high", async () => {
    const task_id = await ask(app);
    expect(await reject(task_id, "admin", { reason, digest: "f".repeat(64) })).toMatchObject({
      status: 409,
      body: { code: "digest_mismatch" },
    });
    await demand(app, task_id, { risk_level: "high" });
    expect(await reject(task_id)).toMatchObject({ status: 422, body: { errors: [{ pointer: "/digest" }] } });
  });

  it("refuses the second vote of a person who approved before", async () => {
    const task_id = await ask(app, { approvers: 3 });
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { body: {} });
    expect(await reject(task_id)).toMatchObject({ status: 409, body: { code: "already_voted", vote: "approve" } });
  });

  it("answers wrong_state where the task no longer waits", async () => {
    const task_id = await ask(app);
    await app.pool.query("update tasks set status = 'expired' where id = $1", [task_id]);
    expect(await reject(task_id)).toMatchObject({ status: 409, body: { code: "wrong_state" } });
  });
});
