import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask, personWithKeyFrom, stateOf } from "../testing.ts";

describe("four eyes and the hands that hold keys", () => {
  const app = useSharedApp();
  const bodies: Record<string, object> = {
    approve: {},
    reject: { reason: "No." },
    "request-changes": { note: "Another." },
    delegate: { escalate: true, reason: "Unsure." },
  };
  const vote = (id: string, key: string, word = "approve") =>
    app.call("POST", `/v1/approvals/${id}/${word}`, { key, body: bodies[word] });
  const may = async (id: string, key: string) =>
    (await app.call("GET", `/v1/approvals/${id}`, { key })).body.may_decide;
  const mine = async (key: string): Promise<string[]> =>
    (await app.call("GET", "/v1/approvals?mine=true&limit=100", { key })).body.data.map(
      ({ task_id }: { task_id: string }) => task_id,
    );

  it("a key that a voter issued for another person is no second one, whichever of the two votes first", async () => {
    const admin = await app.member("admin");
    const other = await personWithKeyFrom(app, admin.secret);
    for (const [first, second, words] of [
      [admin.secret, other.secret, "This key was issued by Test admin"],
      [other.secret, admin.secret, "You issued the key with which Test approver"],
    ] as const) {
      const task_id = await ask(app, { approvers: 2 });
      expect(await mine(second)).toContain(task_id);
      expect((await vote(task_id, first)).body).toMatchObject({ status: "pending", approvals: 1 });
      const refused = await vote(task_id, second);
      expect(refused).toMatchObject({
        status: 403,
        body: { code: "key_not_independent", stage: "permissions", detail: expect.stringContaining(words) },
      });
      expect(await may(task_id, second)).toMatchObject({ allowed: false, code: "key_not_independent" });
      expect(await mine(second)).not.toContain(task_id);
      expect(await stateOf(app, task_id)).toMatchObject({ status: "awaiting_approval", votes: 1 });
      expect((await vote(task_id, "approver")).body).toMatchObject({ status: "approved", approvals: 2 });
    }
  });

  it("nor is a key that the requester issued, where another person is demanded", async () => {
    const requester = await app.member("admin");
    const other = await personWithKeyFrom(app, requester.secret);
    const { task_id } = await app.dispatch({}, { key: requester.secret });
    await app.pool.query(
      "update approvals set requester_allowed = false, approvers = 1, risk_level = 'medium' where task_id = $1",
      [task_id],
    );
    expect(await mine(other.secret)).not.toContain(task_id);
    for (const word of ["approve", "reject", "request-changes", "delegate"]) {
      expect((await vote(task_id, other.secret, word)).body.code, word).toBe("key_not_independent");
    }
    await app.pool.query("update approvals set requester_allowed = true where task_id = $1", [task_id]);
    expect(await mine(other.secret)).toContain(task_id);
    expect((await vote(task_id, other.secret)).body.status).toBe("approved");
  });

  it("nor is a key that was issued with such a one, for whomever", async () => {
    const requester = await app.member("admin");
    const [other, third] = [
      await personWithKeyFrom(app, requester.secret, "admin", "admin"),
      await app.member("approver"),
    ];
    const issue = async (body: object) =>
      (
        await app.call("POST", "/v1/admin/keys", {
          key: other.secret,
          body: { name: "next", role: "approver", ...body },
        })
      ).body;
    for (const { key } of [await issue({}), await issue({ for: { member: third.memberId } })]) {
      const { task_id } = await app.dispatch({}, { key: requester.secret });
      await app.pool.query(
        "update approvals set requester_allowed = false, approvers = 1, risk_level = 'medium' where task_id = $1",
        [task_id],
      );
      expect(await may(task_id, key)).toMatchObject({ allowed: false, code: "key_not_independent" });
      expect(await mine(key)).not.toContain(task_id);
      expect((await vote(task_id, key)).body.code).toBe("key_not_independent");
      expect((await vote(task_id, third.secret)).body.status).toBe("approved");
    }
  });

  it("a key that its owner issued stands for its owner", async () => {
    const admin = await app.member("admin");
    const other = await app.member("admin");
    const own = await app.call("POST", "/v1/admin/keys", { key: other.secret, body: { name: "own", role: "admin" } });
    const task_id = await ask(app, { approvers: 2 });
    await vote(task_id, admin.secret);
    expect((await vote(task_id, own.body.key)).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("another key of a voter, with which the voter did not vote, does not count against who issued it", async () => {
    const admin = await app.member("admin");
    const { memberId, secret } = await app.member("approver");
    await app.call("POST", "/v1/admin/keys", {
      key: admin.secret,
      body: { name: "spare", role: "approver", for: { member: memberId } },
    });
    const task_id = await ask(app, { approvers: 2 });
    await vote(task_id, secret);
    expect((await vote(task_id, admin.secret)).body).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("repeating one's own vote stays what it is, whoever voted since", async () => {
    const admin = await app.member("admin");
    const task_id = await ask(app, { approvers: 3 });
    const first = await vote(task_id, admin.secret);
    await vote(task_id, "approver");
    expect((await vote(task_id, admin.secret)).body).toMatchObject({ status: first.body.status, approvals: 2 });
  });
});
