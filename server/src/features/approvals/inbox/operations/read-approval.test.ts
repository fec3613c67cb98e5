import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { roles } from "../../../../kernel/principal.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, demand, narrowedKey, serviceAccount, stateOf } from "../../testing.ts";

describe("reading an approval", () => {
  const app = useSharedApp();
  const read = (id: string, key = "admin") => app.call("GET", `/v1/approvals/${id}`, { key });

  it("shows the exact action, why it was asked, risk, trust, votes and what happens if nobody decides", async () => {
    const { task_id, trust_score } = await app.dispatch();
    await demand(app, task_id, { risk_level: "medium" });
    const { status, body } = await read(task_id, "viewer");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      approval_id: expect.stringMatching(/^apr_/),
      task_id,
      status: "pending",
      environment: "development",
      task_status: "awaiting_approval",
      action: {
        agent: "sales",
        version: expect.stringMatching(/^ver_/),
        skill: "qualify_lead",
        tool: null,
        arguments: { lead_id: "ld_1001" },
      },
      digest_matches: true,
      reasons: ["The caller asked for approval."],
      risk: "medium",
      risk_assessment: { reasons: expect.arrayContaining(["It touches personal data."]) },
      trust: { score: trust_score },
      requester: { name: "Test admin", kind: "person" },
      requester_allowed: true,
      approvers: 1,
      approvals: 0,
      votes: [],
      if_undecided: { outcome: "waits", at: null, detail: expect.stringContaining("Nothing expires by itself") },
      approve_url: expect.stringMatching(`^http.+/approvals/${task_id}$`),
    });
    expect((await read(body.approval_id, "viewer")).body).toEqual(body);
  });

  it("shows an action from which anybody can compute the digest (RFC 8785, SHA-256)", async () => {
    const task_id = await ask(app);
    const { body } = await read(task_id);
    const canonical = canonicalize(body.action) as string;
    expect(createHash("sha256").update(canonical).digest("hex")).toBe(body.digest);
  });

  it("gives two equal requests different digests, so that one's approval never fits the other", async () => {
    const digests = await Promise.all(
      [app.dispatch(), app.dispatch()].map(async (task) => (await read((await task).task_id)).body.digest),
    );
    expect(digests[0]).not.toBe(digests[1]);
  });

  it("says by when it expires where the task has a deadline", async () => {
    const deadline = new Date(Date.now() + 3_600_000).toISOString();
    const task_id = await ask(app, {}, { deadline });
    expect((await read(task_id)).body.if_undecided).toMatchObject({ outcome: "expires", at: deadline });
  });

  it("decides nothing, however often it is read", async () => {
    const task_id = await ask(app);
    const before = await stateOf(app, task_id);
    for (let i = 0; i < 3; i++) await read(task_id);
    expect(await stateOf(app, task_id)).toEqual(before);
  });

  it("tells every role truly whether it may decide", async () => {
    for (const role of roles) {
      const task_id = await ask(app);
      const { may_decide } = (await read(task_id, role)).body;
      const { status } = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: role, body: {} });
      expect(may_decide.allowed, role).toBe(status === 200);
      expect(may_decide.code, role).toBe(status === 200 ? null : "insufficient_scope");
    }
  });

  it("tells a narrowed key, a service account, the requester and who has voted why they may not decide", async () => {
    const task_id = await ask(app, { requester_allowed: false, approvers: 2 });
    const { secret } = await app.member("approver");
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: secret, body: {} });
    const codeFor = async (key: string) => (await read(task_id, key)).body.may_decide;
    expect(await codeFor(await narrowedKey(app, { scopes: ["approvals:read"] }))).toMatchObject({
      allowed: false,
      code: "insufficient_scope",
    });
    expect(await codeFor(await serviceAccount(app, "admin"))).toMatchObject({ allowed: false, code: "persons_only" });
    expect(await codeFor("admin")).toMatchObject({ allowed: false, code: "four_eyes" });
    expect(await codeFor(secret)).toMatchObject({
      allowed: false,
      code: "already_voted",
      reason: "You have approved; 1 more approval is needed.",
    });
    expect(await codeFor("approver")).toEqual({ allowed: true, code: null, reason: null });
  });

  it("answers 404 for a task that nobody has to approve", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    expect((await read(task_id)).status).toBe(404);
  });
});
