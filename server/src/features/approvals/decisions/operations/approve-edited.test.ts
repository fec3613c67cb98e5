import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, decisionsOf, demand, endAt, eventsAbout, roundsOf, stateOf } from "../../testing.ts";

describe("approving with edits", () => {
  const app = useSharedApp();
  const edits = { lead_id: "ld_1002" };
  const approve = (id: string, key: string = "admin", body: Record<string, unknown> = { edits }) =>
    app.call("POST", `/v1/approvals/${id}/approve`, { key, body });
  const read = async (id: string) => (await app.call("GET", `/v1/approvals/${id}`)).body;
  /** With the digest of what is shown now: in a new round the risk is the sample's own, which is high. */
  const approveShown = async (id: string, key: string, body: Record<string, unknown> = {}) =>
    approve(id, key, { ...body, digest: (await read(id)).digest });

  it("approves what the caller wants instead, under a digest of its own, and runs exactly that", async () => {
    const task_id = await ask(app);
    const shown = await read(task_id);
    const { secret, memberId } = await app.member("approver");
    const { status, body } = await approve(task_id, secret, { edits, reason: "The other lead." });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "approved",
      task_status: "queued",
      round: 2,
      previous_id: shown.approval_id,
      edited_by: { id: memberId },
      digest_matches: true,
      action: { arguments: edits },
      requester: shown.requester,
      votes: [{ voter: { id: memberId }, reason: "The other lead." }],
    });
    expect(body.digest).not.toBe(shown.digest);
    expect(body.action.nonce).not.toBe(shown.action.nonce);
    const events = ["task.created", "task.approval_required", "task.approved"];
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "queued",
      approval: "approved",
      votes: 1,
      events,
      event_count: 3,
      jobs: 1,
    });
    expect((await app.call("GET", `/v1/tasks/${task_id}`)).body).toMatchObject({
      input: edits,
      approval_id: body.approval_id,
    });
    expect(await decisionsOf(app, task_id)).toMatchObject([{ approval_id: body.approval_id, decision: "approved" }]);
  });

  it("keeps the round before with the input that it was asked for, its votes void", async () => {
    const task_id = await ask(app, { approvers: 2 });
    await approve(task_id, "approver", {});
    const { digest, approval_id } = await read(task_id);
    const { body } = await approve(task_id);
    expect(body).toMatchObject({ status: "pending", approvals: 1, votes: [{ voter: { name: "Test admin" } }] });
    const old = await read(approval_id);
    expect(old).toMatchObject({
      status: "superseded",
      digest,
      digest_matches: true,
      action: { arguments: { lead_id: "ld_1001" } },
      approvals: 1,
    });
    expect(await roundsOf(app, task_id)).toMatchObject([
      { round: 1, status: "superseded", arguments: { lead_id: "ld_1001" }, revision: 2 },
      { round: 2, status: "pending", arguments: null, previous_id: approval_id, revision: 1 },
    ]);
    expect(await eventsAbout(app, "task.approval_required", task_id)).toHaveLength(2);
    expect(await stateOf(app, task_id)).toMatchObject({ status: "awaiting_approval", event_count: 3, jobs: 0 });
    expect((await approveShown(task_id, "approver")).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("makes what others were shown undecidable: the old digest is 409, by the task's id and by the approval's", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const shown = await read(task_id);
    await approve(task_id);
    const byTask = await approve(task_id, "approver", { digest: shown.digest });
    expect([byTask.status, byTask.body.code]).toEqual([409, "digest_mismatch"]);
    const byApproval = await approve(shown.approval_id, "approver", { digest: shown.digest });
    expect(byApproval).toMatchObject({ status: 409, body: { code: "already_decided", approval_status: "superseded" } });
    expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending", votes: 1 });
  });

  it("waits for another person where four eyes are demanded, since who edits is no second one", async () => {
    const task_id = await ask(app, { requester_allowed: false });
    const { secret } = await app.member("approver");
    const { status, body } = await approve(task_id, secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "pending",
      round: 2,
      votes: [],
      requester_allowed: false,
      may_decide: { allowed: false, code: "four_eyes" },
    });
    for (const key of [secret, "admin"]) {
      expect(await approve(task_id, key, {})).toMatchObject({ status: 403, body: { code: "four_eyes" } });
    }
    expect((await approve(task_id, "approver", {})).body.errors).toMatchObject([
      { pointer: "/digest", code: "required" },
    ]);
    expect(await stateOf(app, task_id)).toMatchObject({
      status: "awaiting_approval",
      approval: "pending",
      votes: 0,
      jobs: 0,
    });
    expect((await approveShown(task_id, "approver")).body).toMatchObject({ status: "approved", approvals: 1 });
  });

  it("answers a repetition as the first time, though who edited may not vote on it", async () => {
    const task_id = await ask(app, { requester_allowed: false });
    const again = () =>
      app.call("POST", `/v1/approvals/${task_id}/approve`, {
        key: "approver",
        body: { edits },
        headers: { "idempotency-key": task_id },
      });
    const first = await again();
    expect(await again()).toMatchObject({ status: 200, text: first.text });
    expect(await roundsOf(app, task_id)).toHaveLength(2);
  });

  it("judges the input as a dispatch would, each fault with its place", async () => {
    const task_id = await ask(app);
    for (const [wrong, pointer] of [
      [{ lead_id: 7 }, "/edits/lead_id"],
      [{}, "/edits/lead_id"],
      [{ ...edits, colour: "red" }, "/edits/colour"],
      ["x", "/edits"],
    ] as const) {
      const { status, body } = await approve(task_id, "approver", { edits: wrong });
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, "invalid_body", pointer]);
    }
    expect(await roundsOf(app, task_id)).toMatchObject([{ status: "pending" }]);
  });

  it("judges it by the version that the task pins, whichever is deployed by now", async () => {
    const task_id = await ask(app);
    await app.pool.query("update deployments set state = 'replaced' where environment = 'development'");
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
    expect((await approve(task_id, "approver", { edits: { lead_id: 7 } })).body.errors[0].pointer).toBe(
      "/edits/lead_id",
    );
    expect((await approve(task_id)).body).toMatchObject({ status: "approved", action: { arguments: edits } });
    await app.pool.query("update deployments set state = 'live' where environment = 'development'");
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
  });

  it("shows policies the edited input", async () => {
    const task_id = await ask(app);
    const { secret, memberId } = await app.member("approver");
    await app.policy({
      scope: { actions: ["approval.decide"] },
      when: `principal.id == "${memberId}" && has(input.lead_id) && input.lead_id == "ld_1002"`,
      effect: "deny",
    });
    expect(await approve(task_id, secret)).toMatchObject({ status: 403, body: { code: "policy_blocked" } });
    expect((await approve(task_id, secret, { edits: { lead_id: "ld_1003" } })).body).toMatchObject({
      status: "approved",
    });
  });

  it("is a plain vote where the input is the present one", async () => {
    const task_id = await ask(app);
    expect((await approve(task_id, "approver", { edits: { lead_id: "ld_1001" } })).body).toMatchObject({
      status: "approved",
      round: 1,
      edited_by: null,
    });
    expect(await roundsOf(app, task_id)).toHaveLength(1);
  });

  it("demands the digest of what was shown where the risk is high, and keeps what was demanded", async () => {
    const task_id = await ask(app, { risk_level: "high", approvers: 3 });
    expect((await approve(task_id, "approver")).body.errors[0].pointer).toBe("/digest");
    const { digest, reasons } = await read(task_id);
    const { body } = await approve(task_id, "approver", { edits, digest });
    expect(body).toMatchObject({ status: "pending", approvers: 3, approvals: 1, reasons });
  });

  it("lets a person edit who has voted, and one who was asked in somebody's place keep both names", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const [from, to] = [await app.member("approver"), await app.member("approver")];
    await app.call("POST", `/v1/approvals/${task_id}/delegate`, {
      key: from.secret,
      body: { to: to.memberId, reason: "Theirs." },
    });
    await approve(task_id, to.secret, {});
    expect((await approve(task_id, to.secret)).body).toMatchObject({
      round: 2,
      votes: [{ voter: { id: to.memberId }, on_behalf_of: { id: from.memberId } }],
    });
  });

  it("begins the time to decide again, and stays escalated", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const created = new Date(Date.now() - 1_800_000);
    await endAt(app, task_id, new Date(created.getTime() + 3_600_000), "escalate", created);
    const before = Date.now();
    const { body } = await approve(task_id, "approver");
    expect(body.on_expiry).toBe("escalate");
    expect(Date.parse(body.expires_at) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(Date.parse(body.expires_at) - before).toBeLessThan(3_660_000);
    await app.call("POST", `/v1/approvals/${task_id}/delegate`, {
      key: "approver",
      body: { escalate: true, reason: "Unsure." },
    });
    const admin = await app.member("admin");
    const next = await approveShown(task_id, admin.secret, { edits: { lead_id: "ld_1004" } });
    expect(next.body).toMatchObject({
      round: 3,
      status: "pending",
      escalated_by: { name: "Test approver" },
      expires_at: null,
    });
  });

  it("follows the subject of the new input, in the task and in the record", async () => {
    const task_id = await ask(app);
    const { headers, body } = await approve(task_id);
    const { rows } = await app.pool.query("select subject from tasks where id = $1", [task_id]);
    expect(rows).toEqual([{ subject: "ld_1002" }]);
    const record = await app.pool.query("select body from audit_records where id = $1", [headers.get("audit-ref")]);
    expect(JSON.parse(record.rows[0].body)).toMatchObject({
      approval_id: body.approval_id,
      object: `approval:${body.previous_id}`,
      task_id,
    });
  });

  it("leaves the arguments of a look-up as they are", async () => {
    const task_id = await ask(app);
    await app.pool.query("update approvals set tool = 'get_lead' where task_id = $1", [task_id]);
    expect((await approve(task_id, "approver")).body.errors[0]).toMatchObject({
      pointer: "/edits",
      code: "not_editable",
    });
  });

  it("edits nothing where the stored action is no longer the one that was asked for", async () => {
    const task_id = await ask(app);
    await demand(app, task_id, {});
    await app.pool.query('update tasks set input = \'{"lead_id":"ld_1009"}\' where id = $1', [task_id]);
    expect(await approve(task_id, "approver")).toMatchObject({ status: 409, body: { code: "digest_mismatch" } });
  });

  it("is refused where a policy denies a dispatch of what is wanted instead, and leaves the round as it is", async () => {
    await app.policy({
      scope: { actions: ["task.dispatch"] },
      when: 'has(input.lead_id) && input.lead_id == "ld_1151"',
      effect: "deny",
    });
    const task_id = await ask(app);
    const { status, body } = await approve(task_id, "approver", { edits: { lead_id: "ld_1151" } });
    expect([status, body.code]).toEqual([403, "policy_blocked"]);
    expect(await roundsOf(app, task_id)).toMatchObject([{ round: 1, status: "pending" }]);
    expect((await approve(task_id, "approver")).body).toMatchObject({
      status: "approved",
      action: { arguments: edits },
    });
  });

  it("asks the people and keeps the bounds that policies demand of a dispatch of what is wanted instead", async () => {
    const scope = { actions: ["task.dispatch"] };
    const when = 'has(input.lead_id) && input.lead_id == "ld_1152"';
    await app.policy({
      scope,
      when,
      effect: "require_approval",
      params: { approvers: 2, requester_allowed: true },
      message: "Two look at this.",
    });
    await app.policy({ scope, when, effect: "limit", params: { steps: 3 } });
    const task_id = await ask(app);
    const { body } = await approve(task_id, "approver", { edits: { lead_id: "ld_1152" } });
    expect(body).toMatchObject({
      status: "pending",
      approvers: 2,
      approvals: 1,
      reasons: expect.arrayContaining(["Two look at this."]),
    });
    const { rows } = await app.pool.query("select run_limits::json as limits from tasks where id = $1", [task_id]);
    expect(rows[0].limits).toEqual({ steps: 3 });
  });
});
