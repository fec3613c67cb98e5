import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, decisionsOf, demand, serviceAccount, stateOf } from "../../testing.ts";

describe("approving", () => {
  const app = useSharedApp();
  const approve = (id: string, key: string = "admin", body: Record<string, unknown> = {}) =>
    app.call("POST", `/v1/approvals/${id}/approve`, { key, body });
  const read = async (id: string) => (await app.call("GET", `/v1/approvals/${id}`)).body;

  it("queues the task, wakes a worker and tells subscribers, in one transaction", async () => {
    const task_id = await ask(app);
    const { secret, memberId } = await app.member("approver");
    const { status, body, headers } = await approve(task_id, secret, { reason: "Looks right." });
    expect(status).toBe(200);
    expect(headers.get("audit-ref")).toMatch(/^aud_/);
    expect(body).toMatchObject({
      task_id,
      status: "approved",
      task_status: "queued",
      approvals: 1,
      decided_by: { id: memberId, kind: "person" },
      reason: "Looks right.",
      votes: [{ voter: { id: memberId }, vote: "approve", reason: "Looks right." }],
      may_decide: { allowed: false, code: "already_decided" },
    });
    const events = ["task.created", "task.approval_required", "task.approved"];
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "queued",
      approval: "approved",
      votes: 1,
      events,
      event_count: 3,
      jobs: 1,
    });
    const { approval_id, decided_at } = body;
    expect(await decisionsOf(app, task_id)).toEqual([
      {
        event: "approval.decided",
        approval_id,
        task_id,
        agent: "sales",
        risk: "medium",
        decision: "approved",
        decided_by: memberId,
        on_behalf_of: null,
        decided_at,
        reason: "Looks right.",
      },
    ]);
  });

  it("leaves the task's trust as it is, and adds no evidence: nobody has seen its outcome", async () => {
    const { task_id, trust_score } = await app.dispatch();
    await demand(app, task_id, { risk_level: "medium" });
    const evidence = async () => (await app.pool.query("select count(*)::int as n from trust_judgements")).rows[0].n;
    const before = await evidence();
    await approve(task_id);
    const { trust } = (await app.call("GET", `/v1/tasks/${task_id}`)).body;
    expect(trust.score).toBe(trust_score);
    expect(await evidence()).toBe(before);
  });

  it("goes on showing the trust that people saw when they decided, whatever becomes of the task's", async () => {
    const task_id = await ask(app);
    const { trust } = await read(task_id);
    const { body } = await approve(task_id);
    expect(body.trust).toEqual(trust);
    await app.pool.query("update tasks set trust = '{}' where id = $1", [task_id]);
    expect((await read(task_id)).trust).toEqual(trust);
  });

  it("takes the approval's own id as well as the task's", async () => {
    const task_id = await ask(app);
    const { approval_id } = await read(task_id);
    expect((await approve(approval_id)).body).toMatchObject({ task_id, status: "approved" });
  });

  it("waits for as many distinct persons as are demanded, and counts each once", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const first = await app.member("approver");
    const second = await app.member("approver");
    const pending = await approve(task_id, first.secret);
    expect(pending).toMatchObject({
      status: 200,
      body: { status: "pending", task_status: "awaiting_approval", approvals: 1 },
    });
    expect(pending.body.may_decide).toMatchObject({ allowed: false, code: "already_voted" });
    const again = await approve(task_id, first.secret);
    expect(again.body).toEqual(pending.body);
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "awaiting_approval",
      approval: "pending",
      votes: 1,
      jobs: 0,
    });
    expect((await approve(task_id, second.secret)).body).toMatchObject({
      status: "approved",
      approvals: 2,
      decided_by: { id: second.memberId },
    });
    expect(await stateOf(app, task_id)).toMatchObject({ status: "queued", votes: 2, jobs: 1 });
    expect(await decisionsOf(app, task_id)).toHaveLength(1);
  });

  it("refuses a contradicting vote of the same person while the approval is pending", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const { secret } = await app.member("approver");
    await approve(task_id, secret);
    const { status, body } = await app.call("POST", `/v1/approvals/${task_id}/reject`, {
      key: secret,
      body: { reason: "Changed my mind." },
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: "already_voted", vote: "approve", voted_at: expect.stringMatching(/Z$/) });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 1 });
  });

  it("refuses to approve what the same person rejected, where the approval is pending all the same", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const { secret, memberId } = await app.member("approver");
    await approve(task_id, secret);
    await app.pool.query("update approval_votes set vote = 'reject' where voter = $1", [memberId]);
    expect(await approve(task_id, secret)).toMatchObject({
      status: 409,
      body: { code: "already_voted", vote: "reject" },
    });
  });

  it("answers a late vote, contradicting or not, with the final state", async () => {
    const task_id = await ask(app);
    const { memberId, secret } = await app.member("approver");
    const { body: decided } = await approve(task_id, secret);
    const late = [
      await app.call("POST", `/v1/approvals/${task_id}/reject`, { body: { reason: "Too late." } }),
      await approve(task_id),
      await approve(task_id, secret),
    ];
    for (const { status, body } of late) {
      expect(status).toBe(409);
      expect(body).toMatchObject({
        code: "already_decided",
        status: 409,
        approval_status: "approved",
        decided_by: memberId,
        decided_at: decided.decided_at,
      });
    }
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "approved", votes: 1, jobs: 1 });
  });

  it("is for persons only", async () => {
    const task_id = await ask(app);
    const { status, body } = await approve(task_id, await serviceAccount(app, "admin"));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: "persons_only", stage: "permissions" });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 0 });
  });

  it("is not for who asked where another person is demanded, whichever key they use", async () => {
    const task_id = await ask(app, { requester_allowed: false });
    const { status, body } = await approve(task_id);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: "four_eyes", stage: "permissions" });
    expect((await approve(task_id, "approver")).status).toBe(200);
  });

  it("takes the digest of what was shown and refuses another one", async () => {
    const task_id = await ask(app);
    const { digest } = await read(task_id);
    const other = await approve(task_id, "approver", { digest: "0".repeat(64) });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: "digest_mismatch", digest });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 0 });
    expect((await approve(task_id, "approver", { digest })).status).toBe(200);
  });

  it("demands the digest where the risk is high or critical", async () => {
    for (const risk_level of ["high", "critical"]) {
      const task_id = await ask(app, { risk_level });
      const { status, body } = await approve(task_id, "approver");
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: "invalid_body", errors: [{ pointer: "/digest", code: "required" }] });
      expect((await approve(task_id, "approver", { digest: (await read(task_id)).digest })).status).toBe(200);
    }
  });

  it("decides nothing where the stored action is no longer the one that was asked for", async () => {
    for (const change of [
      'input = \'{"lead_id":"ld_1002"}\'',
      "version_id = 'ver_other'",
      "skill = 'other'",
      "agent = 'other'",
    ]) {
      const task_id = await ask(app);
      const { digest } = await read(task_id);
      await app.pool.query(`update tasks set ${change} where id = $1`, [task_id]);
      expect(await read(task_id)).toMatchObject({ digest, digest_matches: false });
      const { status, body } = await approve(task_id, "admin", { digest });
      expect(status, change).toBe(409);
      expect(body.code).toBe("digest_mismatch");
      expect(await stateOf(app, task_id)).toMatchObject({
        status: "awaiting_approval",
        approval: "pending",
        votes: 0,
        jobs: 0,
      });
    }
  });

  it("is under the policies that name it, which see agent, skill, risk and trust", async () => {
    const { secret, memberId } = await app.member("approver");
    const task_id = await ask(app);
    await app.policy({
      scope: { actions: ["approval.decide"] },
      when: `has(agent.name) && agent.name == "sales" && has(skill.name) && skill.name == "qualify_lead" && has(risk.level) && risk.level == "medium" && has(trust.low) && trust.low < 1.0 && principal.id == "${memberId}"`,
      effect: "deny",
    });
    expect(await approve(task_id, secret)).toMatchObject({ status: 403, body: { code: "policy_blocked" } });
    expect((await approve(task_id, "admin")).status).toBe(200);
  });

  it("answers wrong_state where the task no longer waits", async () => {
    const task_id = await ask(app);
    await app.pool.query("update tasks set status = 'expired' where id = $1", [task_id]);
    const { status, body } = await approve(task_id);
    expect(status).toBe(409);
    expect(body.code).toBe("wrong_state");
    expect(await stateOf(app, task_id)).toMatchObject({ status: "expired", approval: "pending", votes: 0 });
  });

  it("records the decision under the approval, its task and the voter", async () => {
    const task_id = await ask(app);
    const { headers, body } = await approve(task_id, "approver");
    const { rows } = await app.pool.query("select body from audit_records where id = $1", [headers.get("audit-ref")]);
    expect(JSON.parse(rows[0].body)).toMatchObject({
      operation: "approvals.approve",
      object: `approval:${body.approval_id}`,
      task_id,
      approval_id: body.approval_id,
      principal: body.decided_by.id,
    });
  });
});
