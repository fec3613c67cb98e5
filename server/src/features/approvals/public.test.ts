import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WriteContext } from "../../kernel/context.ts";
import { useApp } from "../../testing/app.ts";
import { actionDigest, type BoundAction, consumeApproval } from "./public.ts";
import { ask, stateOf } from "./testing.ts";

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
        const stored = JSON.parse(JSON.stringify({ ...turned, arguments: Object.fromEntries(Object.entries(one.arguments).reverse()) }));
        expect(actionDigest(stored)).toBe(actionDigest(one));
      }),
    );
  });

  it("is another one for any other action", () => {
    fc.assert(
      fc.property(action, action, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other) && !sameMembers(one, other));
        expect(actionDigest(one)).not.toBe(actionDigest(other));
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

describe("using an approval up", () => {
  const app = useApp();

  /** Runs in a transaction of its own, as the claim of a task does. */
  async function consume(approvalId: string, action: Omit<BoundAction, "nonce">) {
    const client = await app.pool.connect();
    try {
      await client.query("begin");
      const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
      const ctx = { scope: app.scope, db: { query } } as unknown as WriteContext;
      const result = await consumeApproval(ctx, approvalId, action);
      await client.query("commit");
      return result;
    } finally {
      client.release();
    }
  }

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
      { arguments: { lead_id: "ld_1002" } }, { agent: "support" }, { version: "ver_other" }, { skill: "other" }, { tool: "send_email" },
    ]; // biome-ignore format: a list
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
