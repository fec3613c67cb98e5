import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../src/db/reader.ts";
import { createRunnerPort } from "../../src/features/tasks/index.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createSeals } from "../../src/kernel/seals.ts";
import { startTestApp, type TestApp } from "../../src/testing/app.ts";

type Port = ReturnType<typeof createRunnerPort>;

// Workers that do not look before they leap: each claims at the same moment, as if it had just been woken.
describe("ten workers of two processes that claim one task at the same moment", () => {
  const apps: TestApp[] = [];
  let ports: Port[] = [];
  beforeAll(async () => {
    const first = await startTestApp();
    apps.push(first, await startTestApp({ connectionString: first.connectionString }));
    ports = Array.from({ length: 10 }, (_, i) => portOf(apps[i % 2] as TestApp));
  });
  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close();
  });

  function portOf({ app, pool }: TestApp): Port {
    return createRunnerPort({
      inside: (operation, scope, input) => app.inside(operation, "worker", scope, input),
      db: createReader(pool),
      facts: app.facts,
      newId: app.newId,
      port: app.port,
      seals: createSeals(Buffer.alloc(32)),
      clock: systemClock,
      credentialKey: Buffer.alloc(32),
      credentials: async () => null,
    });
  }

  const count = async (from: string, values: unknown[]): Promise<number> =>
    (await apps[0]?.pool.query<{ n: number }>(`select count(*)::int as n from ${from}`, values))?.rows[0]?.n ?? -1;

  const startRecords =
    "audit_records where body::json ->> 'operation' = 'tasks.startTask' and body::json ->> 'task_id' = $1 and body::json ->> 'outcome' = 'allowed'";

  async function race(task: string): Promise<void> {
    const scope = { organization: "default", environment: "development" } as const;
    const claims = await Promise.all(ports.map((port, i) => port.start({ scope, task, owner: `worker-${i}` })));
    const winners = claims.flatMap(({ claimed }, i) => (claimed ? [i] : []));
    expect(winners).toHaveLength(1);
    expect(
      await count("tasks where id = $1 and status = 'running' and attempt = 1 and lease_owner = $2", [
        task,
        `worker-${winners[0]}`,
      ]),
    ).toBe(1);
    expect(await count("events where task_id = $1 and type = 'task.started'", [task])).toBe(1);
    // Whoever came too late started nothing, and no record says that he did.
    expect(await count(startRecords, [task])).toBe(1);
  }

  it("start a task that was approved once: one claim, one record of a start, one event, and the approval is used up", async () => {
    for (let i = 0; i < 5; i++) {
      const { task_id } = await (apps[0] as TestApp).dispatch();
      const { digest } = (await (apps[0] as TestApp).call("GET", `/v1/approvals/${task_id}`)).body;
      const approved = await (apps[1] as TestApp).call("POST", `/v1/approvals/${task_id}/approve`, {
        body: { digest },
      });
      expect([approved.status, approved.body.status]).toEqual([200, "approved"]);
      await race(task_id);
      expect(await count("approvals where task_id = $1 and status = 'consumed'", [task_id])).toBe(1);
    }
  });

  it("start a task that nobody had to approve once", async () => {
    for (let i = 0; i < 5; i++) await race((await (apps[0] as TestApp).dispatch({ require_approval: false })).task_id);
  });

  it("start nothing that was not approved", async () => {
    const { task_id } = await (apps[0] as TestApp).dispatch();
    const scope = { organization: "default", environment: "development" } as const;
    const claims = await Promise.all(
      ports.map((port, i) => port.start({ scope, task: task_id, owner: `worker-${i}` })),
    );
    expect(claims.filter(({ claimed }) => claimed)).toEqual([]);
    expect(await count("tasks where id = $1 and status = 'awaiting_approval'", [task_id])).toBe(1);
    expect(await count("events where task_id = $1 and type = 'task.started'", [task_id])).toBe(0);
    expect(await count(startRecords, [task_id])).toBe(0);
  });
});
