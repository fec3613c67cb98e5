import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WriteContext } from "../../../kernel/context.ts";
import { type TestApp, useApp } from "../../../testing/app.ts";
import { ask, roundsOf, stateOf } from "../testing.ts";
import {
  actionDigest,
  approvalMeets,
  approvalState,
  type BoundAction,
  consumeApproval,
  nextRound,
  supersedeApproval,
} from "./public.ts";

describe("the digest of an action", () => {
  const action = fc.record({
    agent: fc.string(),
    version: fc.string(),
    skill: fc.string(),
    tool: fc.option(fc.string(), { nil: null }),
    arguments: fc.dictionary(fc.string(), fc.jsonValue()),
    nonce: fc.string({ minLength: 1 }),
  });

  it("is the same for the same action, in whatever order its members were written", () => {
    fc.assert(
      fc.property(action, (one) => {
        const turned = Object.fromEntries(Object.entries(one).reverse()) as unknown as BoundAction;
        const stored = JSON.parse(
          JSON.stringify({ ...turned, arguments: Object.fromEntries(Object.entries(one.arguments).reverse()) }),
        );
        expect(actionDigest(stored)).toBe(actionDigest(one));
      }),
    );
  });

  it("is another one where any member differs", () => {
    fc.assert(
      fc.property(action, action, (one, other) => {
        for (const name of Object.keys(one) as (keyof BoundAction)[]) {
          const changed = { ...one, [name]: other[name] };
          if (!sameMembers(one, changed)) expect(actionDigest(changed)).not.toBe(actionDigest(one));
        }
      }),
    );
  });

  const sameMembers = (a: object, b: object): boolean => {
    const sorted = (value: unknown): unknown =>
      typeof value !== "object" || value === null
        ? value
        : Array.isArray(value)
          ? value.map(sorted)
          : Object.entries(value)
              .map(([name, item]) => [name, sorted(item)])
              .sort();
    return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
  };
});

/** Runs in a transaction of its own, as the claim of a task does. */
async function inTransaction<T>(app: TestApp, act: (ctx: WriteContext) => Promise<T>): Promise<T> {
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
    const load = async (loader: { text: string }, at: typeof app.scope, key: string) =>
      (await query(loader.text, [at.organization, at.environment, [key]]))[0];
    const { facts } = app.app;
    const ctx = {
      scope: app.scope,
      facts,
      principal: { id: "system:worker" },
      db: { query, load },
    } as unknown as WriteContext;
    const result = await act(ctx);
    await client.query("commit");
    return result;
  } finally {
    client.release();
  }
}

describe("using an approval up", () => {
  const app = useApp();

  const consume = (approvalId: string, action: Omit<BoundAction, "nonce">) =>
    inTransaction(app, (ctx) => consumeApproval(ctx, approvalId, action, []));

  async function approved(decide: boolean) {
    const task_id = await ask(app);
    const path = `/v1/approvals/${task_id}`;
    const { body } = decide ? await app.call("POST", `${path}/approve`, { body: {} }) : await app.call("GET", path);
    const { nonce: _nonce, ...action } = body.action as BoundAction;
    return { taskId: task_id, approvalId: body.approval_id as string, action };
  }

  it("succeeds once for exactly the approved action", async () => {
    const { taskId, approvalId, action } = await approved(true);
    expect(await consume(approvalId, action)).toBe("consumed");
    expect(await consume(approvalId, action)).toBe("not_approved");
    expect((await stateOf(app, taskId)).approval).toBe("consumed");
    const { body } = await app.call("GET", `/v1/approvals/${approvalId}`);
    expect(body.consumed_at).toMatch(/Z$/);
  });

  it("is won by one of ten workers", async () => {
    const { approvalId, action } = await approved(true);
    const results = await Promise.all(Array.from({ length: 10 }, () => consume(approvalId, action)));
    expect(results.sort()).toEqual(["consumed", ...Array.from({ length: 9 }, () => "not_approved")]);
  });

  it("spends the approval where another action would run", async () => {
    const others: Partial<BoundAction>[] = [
      { arguments: { lead_id: "ld_1002" } },
      { agent: "support" },
      { version: "ver_other" },
      { skill: "other" },
      { tool: "send_email" },
    ];
    for (const other of others) {
      const { taskId, approvalId, action } = await approved(true);
      expect(await consume(approvalId, { ...action, ...other })).toBe("stale");
      expect((await stateOf(app, taskId)).approval).toBe("stale");
      expect(await consume(approvalId, action)).toBe("not_approved");
    }
  });

  it("does nothing where people have not decided, or there is no approval", async () => {
    const { taskId, approvalId, action } = await approved(false);
    expect(await consume(approvalId, action)).toBe("not_approved");
    expect((await stateOf(app, taskId)).approval).toBe("pending");
    expect(await consume("apr_00000000000000000000000000", action)).toBe("not_approved");
  });
});

describe("an approval that was given for less than is demanded by now", () => {
  const app = useApp();

  async function approved(more: Parameters<typeof ask>[1] = {}) {
    const task_id = await ask(app, more);
    const { body } = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    const { nonce: _nonce, ...action } = body.action as BoundAction;
    return { task_id, id: body.approval_id as string, action, voter: body.decided_by.id as string };
  }

  it("is superseded once it was used up, keeps its votes and what it was given for, and counts the change", async () => {
    const { task_id, id, action } = await approved();
    await inTransaction(app, async (ctx) => {
      await supersedeApproval(ctx, id);
      expect(await approvalState(ctx, id)).toBe("approved");
      await consumeApproval(ctx, id, action, []);
      await supersedeApproval(ctx, id);
    });
    await app.pool.query('update tasks set input = \'{"lead_id":"ld_1009"}\' where id = $1', [task_id]);
    expect(await roundsOf(app, task_id)).toMatchObject([
      { status: "superseded", revision: 4, arguments: { lead_id: "ld_1001" }, decided_by: "system:worker" },
    ]);
    const { body } = await app.call("GET", `/v1/approvals/${id}`);
    expect(body).toMatchObject({
      digest_matches: true,
      action: { arguments: { lead_id: "ld_1001" } },
      approvals: 1,
      consumed_at: null,
    });
  });

  it("is followed by one of the next round, edited by the same", async () => {
    const { id, voter } = await approved();
    const next = (of: string | null) => inTransaction(app, (ctx) => nextRound(ctx, of, { id: voter, persons: [] }));
    const editedBy = { id: voter, accountable: [voter, "mbr_issuer"] };
    const set = "update approvals set edited_by = $2, editor_accountable = $3, round = 3 where id = $1";
    await app.pool.query(set, [id, voter, editedBy.accountable]);
    expect(await next(id)).toMatchObject({ round: 4, previousId: id, editedBy });
    for (const nothing of [null, "apr_00000000000000000000000000"]) {
      expect(await next(nothing)).toMatchObject({ round: 1, previousId: null, editedBy: null });
    }
    await app.pool.query("update approvals set tool = 'send_mail' where id = $1", [id]);
    expect(await next(id)).toMatchObject({ round: 4, previousId: id, editedBy: null }); // another call: nobody edited that
    await app.pool.query("update approvals set status = 'superseded' where id = $1", [id]);
    expect(await next(id)).toMatchObject({ round: 4, previousId: id, editedBy });
    await app.pool.query("update approvals set status = 'consumed' where id = $1", [id]);
    expect(await next(id)).toMatchObject({ round: 1, previousId: null, editedBy: null });
  });

  it("is not met by who asked or edited, where another person is demanded", async () => {
    const { id, voter } = await approved();
    const meets = (requester_allowed: boolean) =>
      inTransaction(app, (ctx) => approvalMeets(ctx, id, { approvers: 1, requester_allowed, reasons: [] }));
    expect([await meets(true), await meets(false)]).toEqual([true, true]);
    for (const column of ["requester", "edited_by"]) {
      await app.pool.query(`update approvals set requester = 'mbr_other', edited_by = null where id = $1`, [id]);
      await app.pool.query(`update approvals set ${column} = $2 where id = $1`, [id, voter]);
      expect([await meets(true), await meets(false)], column).toEqual([true, false]);
    }
  });

  it("of admins, once it was escalated, give nothing that a rule asks which asked nobody then", async () => {
    const task = await ask(app);
    const path = `/v1/approvals/${task}`;
    const { secret } = await app.member("approver");
    await app.call("POST", `${path}/delegate`, { key: secret, body: { escalate: true, reason: "Unsure." } });
    const { body } = await app.call("POST", `${path}/approve`, { body: {} });
    expect(body.status).toBe("approved");
    const rule = {
      kind: "rule" as const,
      id: "late",
      name: "Late",
      version: 1,
      stages: [{ quorum: 1, roles: [], teams: [], members: ["mbr_other"] }],
    };
    const meets = (required_by: (typeof rule)[]) =>
      inTransaction(app, (ctx) =>
        approvalMeets(ctx, body.approval_id, { approvers: 1, requester_allowed: true, reasons: [], required_by }),
      );
    expect(await meets([rule])).toBe(false);
    await app.pool.query("update approvals set demanded = $2 where id = $1", [
      body.approval_id,
      JSON.stringify([rule]),
    ]);
    expect(await meets([rule])).toBe(true);
  });
});

describe("an approval whose task ends", () => {
  const app = useApp();

  it("ends with it, and counts the change", async () => {
    const task_id = await ask(app);
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: { reason: "By mistake." } });
    expect(await roundsOf(app, task_id)).toMatchObject([{ status: "cancelled", revision: 2, reason: "By mistake." }]);
  });
});
