import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { ask, endAt, eventsAbout, roundsOf, serviceAccount, stateOf } from "../../testing.ts";

describe("delegating", () => {
  const app = useSharedApp();
  const reason = "The lead is one of theirs.";
  const send = (id: string, key: string, body: Record<string, unknown>) =>
    app.call("POST", `/v1/approvals/${id}/delegate`, { key, body });
  const approve = (id: string, key: string) => app.call("POST", `/v1/approvals/${id}/approve`, { key, body: {} });

  it("hands the decision to a person, whose vote carries both names; who handed it on no longer decides", async () => {
    const task_id = await ask(app);
    const from = await app.member("approver");
    const to = await app.member("approver");
    const { status, body } = await send(task_id, from.secret, { to: to.memberId, reason });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "pending",
      delegations: [
        { from: { id: from.memberId, name: "Test approver" }, to: { id: to.memberId, name: "Test approver" }, reason },
      ],
      may_decide: { allowed: false, code: "delegated" },
    });
    expect(await approve(task_id, from.secret)).toMatchObject({
      status: 403,
      body: { code: "delegated", stage: "permissions" },
    });
    const voted = await approve(task_id, to.secret);
    expect(voted.body).toMatchObject({
      status: "approved",
      votes: [{ voter: { id: to.memberId }, on_behalf_of: { id: from.memberId, kind: "person" } }],
    });
    expect(await eventsAbout(app, "approval.delegated", task_id)).toEqual([
      {
        event: "approval.delegated",
        approval_id: body.approval_id,
        task_id,
        agent: "sales",
        risk: "medium",
        from: from.memberId,
        to: to.memberId,
        reason,
        approve_url: `http://127.0.0.1:4000/approvals/${task_id}`,
      },
    ]);
  });

  it("counts the one person as one, for however many they decide", async () => {
    const task_id = await ask(app, { approvers: 2 });
    const [one, two, to] = [await app.member("approver"), await app.member("approver"), await app.member("approver")];
    await send(task_id, one.secret, { to: to.memberId, reason });
    await send(task_id, two.secret, { to: to.memberId, reason });
    expect((await approve(task_id, to.secret)).body).toMatchObject({
      status: "pending",
      approvals: 1,
      votes: [{ on_behalf_of: { id: two.memberId } }],
    });
    expect((await approve(task_id, to.secret)).body).toMatchObject({ status: "pending", approvals: 1 });
    for (const { secret } of [one, two]) expect((await approve(task_id, secret)).body.code).toBe("delegated");
    expect((await approve(task_id, "approver")).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("leaves a critical action to two persons who saw it, neither of them the requester", async () => {
    const task_id = await ask(app, { approvers: 2, requester_allowed: false, risk_level: "critical" });
    const [from, to, other] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const cast = (key: string, body: object = { digest }) =>
      app.call("POST", `/v1/approvals/${task_id}/approve`, { key, body });
    await send(task_id, from.secret, { to: to.memberId, reason });
    expect((await cast(to.secret, {})).body.errors[0].pointer).toBe("/digest");
    expect((await cast("admin")).body.code).toBe("four_eyes");
    expect((await cast(to.secret)).body).toMatchObject({ status: "pending", approvals: 1 });
    expect((await cast(from.secret)).body.code).toBe("delegated");
    expect((await cast(other.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
    expect(await stateOf(app, task_id)).toMatchObject({ status: "queued", votes: 2, jobs: 1 });
  });

  it("voids no vote that was cast, and raises the revision", async () => {
    const task_id = await ask(app, { approvers: 2 });
    await approve(task_id, "approver");
    const from = await app.member("approver");
    const to = await app.member("approver");
    await send(task_id, from.secret, { to: to.memberId, reason });
    expect((await roundsOf(app, task_id))[0]?.revision).toBe(2);
    expect((await approve(task_id, to.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("goes on from hand to hand, never in a circle", async () => {
    const task_id = await ask(app);
    const [one, two, three] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    await send(task_id, one.secret, { to: two.memberId, reason });
    const back = await send(task_id, two.secret, { to: one.memberId, reason });
    expect([back.status, back.body.errors[0]]).toMatchObject([
      422,
      { pointer: "/to", code: "cannot_decide", detail: expect.stringContaining("handed it on before") },
    ]);
    expect((await send(task_id, two.secret, { to: three.memberId, reason })).status).toBe(200);
    expect((await approve(task_id, three.secret)).body).toMatchObject({
      status: "approved",
      votes: [{ on_behalf_of: { id: two.memberId } }],
      delegations: [{ from: { id: one.memberId } }, { from: { id: two.memberId } }],
    });
  });

  it("tells why somebody cannot decide", async () => {
    const { secret, memberId } = await app.member("approver");
    const task_id = await ask(app, { requester_allowed: false, approvers: 3 });
    const asked = (await app.call("GET", `/v1/approvals/${task_id}`)).body.requester.id as string;
    const voter = await app.member("approver");
    await approve(task_id, voter.secret);
    await serviceAccount(app, "approver");
    const { rows } = await app.pool.query("select id from members where kind = 'service_account' limit 1");
    for (const [to, code, words] of [
      [memberId, "cannot_decide", "is you"],
      ["mbr_00000000000000000000000000", "unknown_member", "is no member"],
      [rows[0].id, "cannot_decide", "service account"],
      [(await app.member("viewer")).memberId, "cannot_decide", "is viewer in development"],
      [(await app.member("approver", "staging")).memberId, "cannot_decide", "is nothing in development"],
      [asked, "cannot_decide", "asked for this"],
      [voter.memberId, "cannot_decide", "has voted already"],
    ] as const) {
      const { status, body } = await send(task_id, secret, { to, reason });
      expect([status, body.code, body.errors], to).toEqual([
        422,
        "invalid_body",
        [{ pointer: "/to", code, detail: expect.stringContaining(words) }],
      ]);
    }
    expect((await app.call("GET", `/v1/approvals/${task_id}`)).body.delegations).toEqual([]);
  });

  it("takes a person or the admins, not both and not neither, and a reason", async () => {
    const task_id = await ask(app);
    const { memberId } = await app.member("approver");
    const pointers = async (body: Record<string, unknown>) => {
      const answered = await send(task_id, "approver", body);
      return [answered.status, ...answered.body.errors.map(({ pointer }: { pointer: string }) => pointer)];
    };
    expect(await pointers({ reason })).toEqual([422, "/to"]);
    expect(await pointers({ to: memberId, escalate: true, reason })).toEqual([422, "/escalate"]);
    expect(await pointers({ escalate: false, reason })).toEqual([422, "/escalate"]);
    expect(await pointers({ to: memberId })).toEqual([422, "/reason"]);
    expect(await pointers({ to: memberId, reason: " " })).toEqual([422, "/reason"]);
  });

  it("is for who may decide and has not voted, while it is open", async () => {
    const { memberId } = await app.member("approver");
    const task_id = await ask(app, { approvers: 2, requester_allowed: false });
    expect((await send(task_id, "admin", { to: memberId, reason })).body.code).toBe("four_eyes");
    expect((await send(task_id, await serviceAccount(app, "admin"), { to: memberId, reason })).body.code).toBe(
      "persons_only",
    );
    const voter = await app.member("approver");
    await approve(task_id, voter.secret);
    expect(await send(task_id, voter.secret, { to: memberId, reason })).toMatchObject({
      status: 409,
      body: { code: "already_voted" },
    });
    await app.call("POST", `/v1/approvals/${task_id}/reject`, { key: "approver", body: { reason: "No." } });
    const late = await app.member("approver");
    expect(await send(task_id, late.secret, { to: memberId, reason })).toMatchObject({
      status: 409,
      body: { code: "already_decided" },
    });
  });

  it("answers a repetition as the first time, though who handed it on decides no longer", async () => {
    const [from, to] = [await app.member("approver"), await app.member("approver")];
    const task_id = await ask(app);
    const again = () =>
      app.call("POST", `/v1/approvals/${task_id}/delegate`, {
        key: from.secret,
        body: { to: to.memberId, reason },
        headers: { "idempotency-key": task_id },
      });
    const first = await again();
    expect(await again()).toMatchObject({ status: 200, text: first.text });
    expect(await send(task_id, from.secret, { to: to.memberId, reason })).toMatchObject({
      status: 403,
      body: { code: "delegated" },
    });
  });

  it("is an action of its own for policies", async () => {
    const from = await app.member("approver");
    const to = await app.member("approver");
    const task_id = await ask(app);
    await app.policy({
      scope: { actions: ["approval.delegate"] },
      when: `principal.id == "${from.memberId}"`,
      effect: "deny",
    });
    expect(await send(task_id, from.secret, { to: to.memberId, reason })).toMatchObject({
      status: 403,
      body: { code: "policy_blocked" },
    });
  });

  describe("to the admins", () => {
    it("lets only admins decide from then on, and says who wanted it", async () => {
      const task_id = await ask(app);
      const { secret, memberId } = await app.member("approver");
      const { status, body } = await send(task_id, secret, { escalate: true, reason });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: "pending",
        escalated_by: { id: memberId },
        escalated_at: expect.stringMatching(/Z$/),
        may_decide: { code: "escalated" },
      });
      for (const word of ["approve", "reject"]) {
        const refused = await app.call("POST", `/v1/approvals/${task_id}/${word}`, {
          key: secret,
          body: { reason: "x" },
        });
        expect(refused).toMatchObject({ status: 403, body: { code: "escalated" } });
      }
      expect(await eventsAbout(app, "approval.escalated", task_id)).toMatchObject([
        { by: memberId, reason, risk: "medium" },
      ]);
      expect((await approve(task_id, (await app.member("admin")).secret)).body.status).toBe("approved");
    });

    it("is done once, and hands on to admins only", async () => {
      const task_id = await ask(app);
      await send(task_id, "approver", { escalate: true, reason });
      const admin = await app.member("admin");
      expect(await send(task_id, admin.secret, { escalate: true, reason })).toMatchObject({
        status: 409,
        body: { code: "wrong_state" },
      });
      const { memberId } = await app.member("approver");
      expect((await send(task_id, admin.secret, { to: memberId, reason })).body.errors[0]).toMatchObject({
        detail: expect.stringContaining("no admin"),
      });
      expect((await send(task_id, admin.secret, { to: (await app.member("admin")).memberId, reason })).status).toBe(
        200,
      );
    });

    it("ends the time after which it would have escalated by itself, not the one after which it expires", async () => {
      for (const [onExpiry, kept] of [
        ["escalate", false],
        ["reject", true],
      ] as const) {
        const task_id = await ask(app);
        const at = new Date(Date.now() + 3_600_000);
        await endAt(app, task_id, at, onExpiry);
        const { body } = await send(task_id, "approver", { escalate: true, reason });
        expect([body.expires_at, body.on_expiry]).toEqual(kept ? [at.toISOString(), onExpiry] : [null, null]);
      }
    });

    it("is refused where no admin could decide it", async () => {
      const task_id = await ask(app, { requester_allowed: false });
      const admins = "update members set removed_at = $1 where roles ->> 'development' = 'admin' and id <> $2";
      const { requester } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
      await app.pool.query(admins, [new Date(), requester.id]);
      expect(await send(task_id, "approver", { escalate: true, reason })).toMatchObject({
        status: 409,
        body: { code: "wrong_state" },
      });
      await app.pool.query(admins, [null, requester.id]);
      expect(await stateOf(app, task_id)).toMatchObject({ approval: "pending" });
    });

    it("is refused where fewer admins could approve it than approvals are missing", async () => {
      const admins =
        "update members set removed_at = $1 where roles ->> 'development' = 'admin' and kind = 'person' and id <> all($2)";
      const task_id = await ask(app, { approvers: 3, requester_allowed: false });
      const { requester } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
      const only = await app.member("admin");
      await app.pool.query(admins, [new Date(), [requester.id, only.memberId]]);
      try {
        const few = await send(task_id, "approver", { escalate: true, reason });
        expect([few.status, few.body.code, few.body.detail]).toEqual([
          409,
          "wrong_state",
          "Only 1 admin in development could approve it, and it needs 3 more approvals; it was not escalated.",
        ]);
        await approve(task_id, (await app.member("approver")).secret);
        expect((await send(task_id, "approver", { escalate: true, reason })).status).toBe(409);
        await approve(task_id, (await app.member("approver")).secret);
        expect((await send(task_id, "approver", { escalate: true, reason })).status).toBe(200);
        expect((await approve(task_id, only.secret)).body.status).toBe("approved");
      } finally {
        await app.pool.query(admins, [null, [requester.id]]);
      }
    });
  });
});
