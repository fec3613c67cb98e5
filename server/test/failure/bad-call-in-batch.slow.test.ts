import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { useApp } from "../../src/testing/app.ts";
import { type Answered, auditRefOf, dispatchPath, givenBody } from "../client.ts";
import { until } from "../processes.ts";

describe("calls that are written together", () => {
  const app = useApp();
  const locked: pg.PoolClient[] = [];
  afterEach(async () => {
    for (const client of locked.splice(0)) client.release(true);
    await app.pool.query("alter table tasks drop constraint if exists poison");
  });

  const count = async (from: string, values: unknown[] = []): Promise<number> =>
    (await app.pool.query<{ n: number }>(`select count(*)::int as n from ${from}`, values)).rows[0]?.n ?? -1;
  const dispatch = (lead: string, headers: Record<string, string> = {}): Promise<Answered> =>
    app.call("POST", dispatchPath, { body: { ...givenBody, lead_id: lead }, headers });

  /** Keeps the committer at its statement until the answered function is called: what comes meanwhile waits for the one next batch. */
  async function holdCommitter(): Promise<() => Promise<void>> {
    const client = await app.pool.connect();
    locked.push(client);
    await client.query("begin");
    await client.query("lock table audit_records in exclusive mode"); // takes no transaction id, which would hold up the logs of the whole server
    return async () => {
      await client.query("rollback");
    };
  }

  const committerWaits = (): Promise<number> =>
    until(
      "the committer's statement waits",
      async () =>
        (await count(
          "pg_stat_activity where datname = current_database() and application_name = 'aos-committer' and wait_event_type = 'Lock'",
        )) === 1,
    );

  /** The transactions in which these calls' records were written. */
  async function transactionsOf(references: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await app.pool.query<{ id: string; xid: string }>(
      "select id, xid::text as xid from audit_records where id = any($1)",
      [references],
    );
    return new Map(rows.map(({ id, xid }) => [id, xid]));
  }

  it("are gathered into few statements while the one before is under way", async () => {
    const release = await holdCommitter();
    const first = dispatch("ld_first");
    await committerWaits();
    const others = Array.from({ length: 40 }, (_, i) => dispatch(`ld_${i}`));
    await arrived(others.length);
    await release();
    const references = (await Promise.all([first, ...others])).map(auditRefOf);
    const transactions = await transactionsOf(references);
    expect(transactions.size).toBe(41);
    // One statement takes all that wait; a call whose subject's salt had to be made first may come a moment after the others.
    expect(new Set(references.slice(1).map((id) => transactions.get(id))).size).toBeLessThanOrEqual(4);
  });

  /** Until so many calls wait for the committer, as far as the loop that they share with us has taken them: their connections are open and idle. */
  async function arrived(calls: number): Promise<void> {
    await until("the calls have arrived", async () => {
      const connections = await new Promise<number>((resolve) =>
        app.app.server?.server.getConnections((_error, n) => resolve(n)),
      );
      return connections >= calls;
    });
    // One whole call of another kind, that needs no record, after them: what came before has been taken through all stages that do not wait.
    await fetch(`${app.url}/readyz`);
  }

  it("are not harmed by one among them that the database refuses", async () => {
    await app.pool.query("alter table tasks add constraint poison check (input not like '%ld_poison%') not valid");
    const before = { tasks: await count("tasks"), events: await count("events"), approvals: await count("approvals") };
    const release = await holdCommitter();
    const first = dispatch("ld_first");
    await committerWaits();
    const key = { "idempotency-key": randomUUID() };
    const good = Array.from({ length: 30 }, (_, i) => dispatch(`ld_good_${i}`));
    const bad = dispatch("ld_poison", key);
    const more = Array.from({ length: 10 }, (_, i) => dispatch(`ld_more_${i}`, { "idempotency-key": randomUUID() }));
    await arrived(42);
    await release();
    for (const { status } of await Promise.all([first, ...good, ...more])) expect(status).toBe(202);
    const refused = await bad;
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([503, "audit_unavailable", true]);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.text).not.toMatch(/poison|constraint|insert|PostgreSQL/i);
    // No record of it as done, no effect: its one record says that it failed.
    expect(await count("tasks")).toBe(before.tasks + 41);
    expect(await count("approvals")).toBe(before.approvals + 41);
    expect(await count("events")).toBe(before.events + 82);
    const { rows } = await app.pool.query<{ body: string }>("select body from audit_records where id = $1", [
      auditRefOf(refused),
    ]);
    expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({
        operation: "agents.dispatchTask",
        outcome: "failed",
        status: 503,
        code: "audit_unavailable",
        task_id: null,
      }),
    ]);
    const references = (await Promise.all([first, ...good, ...more])).map(auditRefOf);
    expect((await transactionsOf(references)).size).toBe(41);
    // Its idempotency key was not used up: once the cause is gone, the same request is accepted.
    await app.pool.query("alter table tasks drop constraint poison");
    const again = await dispatch("ld_poison", key);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, null]);
  });

  it("answer twins in one batch alike, and make one task", async () => {
    const release = await holdCommitter();
    const first = dispatch("ld_first");
    await committerWaits();
    const key = { "idempotency-key": randomUUID() };
    const twins = Array.from({ length: 20 }, () => dispatch("ld_twin", key));
    await arrived(21);
    await release();
    await first;
    const answers = await Promise.all(twins);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await count("tasks where input like '%ld_twin%'")).toBe(1);
    expect(new Set(answers.map(auditRefOf)).size).toBe(20);
  });

  it("are refused with 503 within the limit of a request while the database hangs, and nothing of them is done later either", async () => {
    const lead = `ld_hung_${randomUUID()}`;
    const release = await holdCommitter();
    const began = performance.now();
    const timed = async (call: Promise<Answered>): Promise<{ answered: Answered; seconds: number }> => {
      const answered = await call;
      return { answered, seconds: (performance.now() - began) / 1000 };
    };
    const calls = [timed(dispatch(lead)), timed(dispatch(lead)), timed(app.call("GET", "/v1/agents"))];
    const answers = await Promise.all(calls);
    await release();
    await until("nothing that was begun is still under way", async () => (await committing()) === 0);
    for (const { answered } of answers)
      expect([answered.status, answered.body.code]).toEqual([503, "audit_unavailable"]);
    expect.soft(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThanOrEqual(30);
    await until("it serves again", async () => (await app.call("GET", "/v1/agents")).status === 200, 5_000);
    expect(await count("tasks where input like $1", [`%${lead}%`])).toBe(0);
    expect(
      await count("audit_records where body::json ->> 'outcome' = 'allowed' and id = any($1)", [
        answers.map(({ answered }) => auditRefOf(answered)),
      ]),
    ).toBe(0);
  }, 60_000);

  const committing = (): Promise<number> =>
    count(
      "pg_stat_activity where datname = current_database() and application_name = 'aos-committer' and state = 'active'",
    );
});

describe("a service whose database is gone", () => {
  const app = useApp();
  const dispatch = (): Promise<Answered> => app.call("POST", dispatchPath, { body: givenBody });

  /** While `work` runs the database takes no connections and has none. */
  async function withoutDatabase(work: () => Promise<void>): Promise<void> {
    const name = new URL(app.connectionString).pathname.slice(1);
    const outside = new URL(app.connectionString);
    outside.pathname = "/template1"; // any other database of the server
    const operator = new pg.Client({ connectionString: outside.href });
    await operator.connect();
    try {
      await operator.query(`alter database ${name} with allow_connections false`);
      await operator.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      await work();
    } finally {
      await operator.query(`alter database ${name} with allow_connections true`);
      await operator.end();
    }
  }

  it("answers 503 to every kind of call, says when to come again, and serves as soon as the database is back", async () => {
    const accepted = [await dispatch(), await dispatch()];
    const task = accepted[0]?.body.task_id as string;
    const refused: Answered[] = [];
    await withoutDatabase(async () => {
      refused.push(await dispatch());
      refused.push(await app.call("GET", `/v1/tasks/${task}`));
      refused.push(await app.call("GET", "/v1/tasks"));
      refused.push(await app.call("POST", `/v1/approvals/${task}/approve`, { body: {} }));
      refused.push(
        await app.call("POST", "/v1/admin/keys", {
          body: { name: "lost", role: "viewer" },
          headers: { "idempotency-key": "a" },
        }),
      );
      refused.push(await app.call("GET", "/v1/admin/whoami", { key: null }));
      await until("its facts are stale", () => !app.app.facts.fresh(), 5_000);
      refused.push(await dispatch());
      expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    });
    for (const { status, headers, body, text } of refused) {
      expect([status, body.code, body.retryable]).toEqual([503, "audit_unavailable", true]);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
      expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(text).not.toMatch(/ECONN|postgres|terminat|connection/i);
    }
    await until("it serves again", async () => (await dispatch()).status === 202, 5_000);
    const { rows } = await app.pool.query<{ status: string; n: number }>(
      "select status, count(*)::int as n from approvals where task_id = any($1) group by status",
      [accepted.map(({ body }) => body.task_id)],
    );
    expect(rows).toEqual([{ status: "pending", n: 2 }]);
    expect((await app.pool.query("select 1 from keys where name = 'lost'")).rowCount).toBe(0);
  });

  it("keeps what it accepted, and leaves nothing in halves, while connections break under load", async () => {
    const answers: Answered[] = [];
    let going = true;
    const load = async (): Promise<void> => {
      while (going) answers.push(await dispatch());
    };
    const clients = Array.from({ length: 16 }, load);
    const accepted = (): number => answers.filter(({ status }) => status === 202).length;
    for (let round = 1; round <= 3; round++) {
      const target = accepted() + 100;
      await until("a hundred more are accepted", () => accepted() >= target);
      await app.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    }
    const target = accepted() + 50;
    await until("it accepts again", () => accepted() >= target);
    going = false;
    await Promise.all(clients);
    for (const { status } of answers) expect([202, 503]).toContain(status);
    const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.task_id as string);
    expect((await app.pool.query("select 1 from tasks where id = any($1)", [ids])).rowCount).toBe(ids.length);
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from tasks t full join (select body::json ->> 'task_id' as task from audit_records
         where body::json ->> 'operation' = 'agents.dispatchTask' and body::json ->> 'outcome' = 'allowed') r on r.task = t.id
       where t.id is null or r.task is null`,
    );
    expect(rows[0]?.n).toBe(0);
  });
});
