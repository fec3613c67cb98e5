import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import type { LeaseKey } from "../steps/store.ts";
import { findHeldLeases, renewLeases } from "./lease-store.ts";

const app = useSharedApp();
const db = {
  query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
    (await app.pool.query(text, [...values])).rows as R[],
};

/** Two tasks that workers hold, their leases about to end. */
async function heldTasks() {
  const tasks = [await app.dispatch(), await app.dispatch()].map(({ task_id }) => task_id);
  await app.pool.query(
    "update tasks set status = 'running', lease_owner = 'worker-' || id, lease_until = now() + interval '1 second' where id = any($1)",
    [tasks],
  );
  return tasks.map((task) => ({ scope: app.scope, task, owner: `worker-${task}` }));
}
const secondsLeft = async (task: string): Promise<number> => {
  const { rows } = await app.pool.query(
    "select extract(epoch from lease_until - now())::float as left from tasks where id = $1",
    [task],
  );
  return rows[0].left;
};

describe("leases", () => {
  it("are prolonged where they hold, and told from those that another worker has by now", async () => {
    const [mine, lost] = (await heldTasks()) as [LeaseKey, LeaseKey];
    await app.pool.query("update tasks set lease_owner = 'another' where id = $1", [lost.task]);
    expect(await renewLeases(db, [mine, lost])).toEqual(new Set([mine.owner]));
    expect(await secondsLeft(mine.task)).toBeGreaterThan(20);
    expect(await findHeldLeases(db, [mine, lost])).toEqual(new Set([mine.owner]));
  });

  it("are prolonged without waiting for a call that holds one of their tasks", async () => {
    const [busy, idle] = (await heldTasks()) as [LeaseKey, LeaseKey];
    const client = await app.pool.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from tasks where id = $1 for update", [busy.task]);
      expect(await renewLeases(db, [busy, idle])).toEqual(new Set([busy.owner, idle.owner]));
      expect(await secondsLeft(idle.task)).toBeGreaterThan(20);
    } finally {
      await client.query("rollback");
      client.release();
    }
  });
});
