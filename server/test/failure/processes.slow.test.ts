import { randomUUID } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { addPeople, addPolicy, deploySample, type Person, retirePolicy, setVerdict } from "../arrange.ts";
import { trustedKey, untilLogged, verifiedTwice, writeExport } from "../audit.ts";
import { type Answered, auditRefOf, type Client, clientOf, dispatchPath, givenBody } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

/** The rule: what changed holds everywhere within so many milliseconds. */
const rule = 1_000;
/** What a takeover keeps to on a machine that has two cores and other tests to run (milliseconds); `sequencer.test.ts` holds the rule against the clock. */
const busy = 5 * rule;

/**
 * Asks one call after the other until the answer is by the new facts. Answers how long after `since` the last call began that was still decided by the
 * old ones (milliseconds, 0 for none): the time that an answer takes on a busy machine is not the rule's.
 */
async function lastDecidedByOldFacts(
  since: number,
  ask: () => Promise<Answered>,
  isOld: (a: Answered) => boolean,
  isNew: (a: Answered) => boolean,
): Promise<number> {
  let last = 0;
  let seen: Answered | undefined;
  const decidedAnew = async (): Promise<boolean> => {
    const began = performance.now();
    seen = await ask();
    if (isOld(seen)) last = began - since;
    return isNew(seen);
  };
  await until("a call is decided by the new facts", decidedAnew, 20_000, () => [seen?.status, seen?.text]);
  return last;
}

describe("two API and two worker processes on one database", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  const services = new Map<string, ServiceProcess>();
  /** Processes that a test ends on purpose, and what became of others. */
  const expected = new Set<ServiceProcess>();
  const unexpected: string[] = [];
  let admin: Person;

  /** Named on the database server, so that a test can tell whose connection is whose. */
  const start = async (name: string): Promise<void> => {
    const url = new URL(database.connectionString);
    url.searchParams.set("application_name", name);
    const role = name.startsWith("api") ? "api" : "worker";
    const service = await startService({ databaseUrl: url.href, dataDir: folder.dataDir, role });
    services.set(name, service);
    void service.ended.then(
      (how) => expected.has(service) || unexpected.push(`${name} ended (${how}): ${service.output()}`),
    );
  };
  const through = (name: string, secret = admin.secret): Client => clientOf(services.get(name)?.url ?? "", secret);
  /** By name: they started at once, and which was ready first says nothing. */
  const apis = (): string[] => [...services.keys()].filter((name) => name.startsWith("api")).sort();

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    await Promise.all(["api-1", "api-2", "worker-1", "worker-2"].map(start)); // at once: one of them makes the installation
    [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
  }, 120_000);
  afterEach(() => expect(unexpected.splice(0)).toEqual([]));
  afterAll(async () => {
    for (const service of services.values()) expected.add(service);
    await Promise.all([...services.values()].map((service) => service.stop()));
    await database?.close();
    await folder?.remove();
  }, 60_000);

  const rows = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await database.pool.query<R & pg.QueryResultRow>(text, values)).rows;
  const count = async (from: string, values: unknown[] = []): Promise<number> =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${from}`, values))[0]?.n ?? -1;
  const dispatched = async (): Promise<string> => {
    const answered = await through("api-1")("POST", dispatchPath, { body: givenBody });
    expect(answered.status).toBe(202);
    return answered.body.task_id as string;
  };
  const untilTask = (id: string, status: string): Promise<number> =>
    until(
      `the task ${id} is ${status}`,
      async () => (await count("tasks where id = $1 and status = $2", [id, status])) === 1,
    );

  it("made one installation although they started at once", async () => {
    expect(await count("installation")).toBe(1);
    expect(await count("keys where created_by = 'system:seed'")).toBe(1);
    expect(await count("agents")).toBe(1);
  });

  it("refuse a key within a second after another process revoked it", async () => {
    const [person] = (await addPeople(database.pool, 1, "viewer")) as [Person];
    const use = (name: string) => () => through(name, person.secret)("GET", "/v1/admin/whoami");
    for (const name of apis()) expect((await use(name)()).status).toBe(200);
    const revoked = await through("api-1")("DELETE", `/v1/admin/keys/${person.keyId}`);
    const since = performance.now();
    expect(revoked.status).toBe(200);
    const times = await Promise.all(
      apis().map((name) =>
        lastDecidedByOldFacts(
          since,
          use(name),
          (a) => a.status === 200,
          (a) => a.status === 401,
        ),
      ),
    );
    expect(times[0]).toBe(0); // the process that changed something sees it at once
    expect(times[1]).toBeLessThanOrEqual(rule);
    expect((await use("api-2")()).headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  });

  it("accept a key at once that another process has just issued", async () => {
    for (let i = 0; i < 5; i++) {
      const issued = await through("api-1")("POST", "/v1/admin/keys", { body: { name: `fresh ${i}`, role: "viewer" } });
      expect(issued.status).toBe(201);
      expect((await through("api-2", issued.body.key)("GET", "/v1/admin/whoami")).status).toBe(200);
    }
  });

  it("decide by a policy within a second after it came into force, and after it went", async () => {
    const ask = (name: string) => () =>
      through(name)("POST", dispatchPath, { body: { ...givenBody, lead_id: "ld_blocked" } });
    const accepted = (a: Answered): boolean => a.status === 202;
    const blocked = (a: Answered): boolean => a.status === 403 && a.body.code === "policy_blocked";
    for (const name of apis()) expect((await ask(name)()).status).toBe(202);
    const policy = await addPolicy(database.pool, {
      scope: { actions: ["task.dispatch"] },
      when: 'has(input.lead_id) && input.lead_id == "ld_blocked"',
      effect: "deny",
    });
    const since = performance.now();
    for (const time of await Promise.all(
      apis().map((name) => lastDecidedByOldFacts(since, ask(name), accepted, blocked)),
    )) {
      expect(time).toBeLessThanOrEqual(rule);
    }
    await retirePolicy(database.pool, policy);
    const retired = performance.now();
    for (const time of await Promise.all(
      apis().map((name) => lastDecidedByOldFacts(retired, ask(name), blocked, accepted)),
    )) {
      expect(time).toBeLessThanOrEqual(rule);
    }
  });

  it("decide by a deployment and by a gate's new verdict within a second", async () => {
    const [operator] = (await addPeople(database.pool, 1, "operator", { environment: "production" })) as [Person];
    const ask = (name: string) => () => through(name, operator.secret)("POST", dispatchPath, { body: givenBody });
    const accepted = (a: Answered): boolean => a.status === 202;
    const closed = (a: Answered): boolean => a.status === 409 && a.body.code === "evaluation_gate_failed";
    const held = async (
      since: number,
      isOld: (a: Answered) => boolean,
      isNew: (a: Answered) => boolean,
    ): Promise<void> => {
      const times = await Promise.all(apis().map((name) => lastDecidedByOldFacts(since, ask(name), isOld, isNew)));
      for (const time of times) expect(time).toBeLessThanOrEqual(rule);
    };
    for (const name of apis()) expect((await ask(name)()).body.code).toBe("agent_not_deployed");
    await deploySample(database.pool, "production");
    await held(performance.now(), (a) => a.body.code === "agent_not_deployed", accepted);
    await setVerdict(database.pool, "failed", "production");
    await held(performance.now(), accepted, closed);
    await setVerdict(database.pool, "open", "production");
    await held(performance.now(), closed, accepted);
  });

  it("make one task of one Idempotency-Key that both get at the same moment, and answer alike", async () => {
    const tasks = new Set<string>();
    const references: string[] = [];
    const before = await count("tasks where environment = 'development'");
    const pair = async (): Promise<void> => {
      const headers = { "idempotency-key": randomUUID() };
      const answers = await Promise.all(
        apis().map((name) => through(name)("POST", dispatchPath, { body: givenBody, headers })),
      );
      const [first, second] = answers as [Answered, Answered];
      expect([first.status, second.status]).toEqual([202, 202]);
      expect(second.body).toEqual(first.body);
      expect(answers.filter((answered) => answered.headers.get("idempotent-replayed") === "true")).toHaveLength(1);
      expect(first.headers.get("location")).toBe(second.headers.get("location"));
      expect(first.headers.get("audit-ref")).not.toBe(second.headers.get("audit-ref"));
      tasks.add(first.body.task_id);
      references.push(...answers.map(auditRefOf));
    };
    await Promise.all(Array.from({ length: 50 }, pair));
    expect(tasks.size).toBe(50);
    expect((await count("tasks where environment = 'development'")) - before).toBe(50);
    const ids = [...tasks];
    expect(await count("approvals where task_id = any($1)", [ids])).toBe(50);
    expect(await count("events where task_id = any($1)", [ids])).toBe(100);
    // Each call has its record: the dispatch, and the repetition that says it was one.
    const gates = await rows<{ replay: boolean; n: number }>(
      "select body::json #>> '{stages,1,reasons,0}' = 'replay' as replay, count(*)::int as n from audit_records where id = any($1) group by 1 order by 1",
      [references],
    );
    expect(gates).toEqual([
      { replay: false, n: 50 },
      { replay: true, n: 50 },
    ]);
  });

  it("carry a change out once whose Idempotency-Key both get at the same moment", async () => {
    const pair = async (_: unknown, i: number): Promise<void> => {
      const request = { body: { name: `twin ${i}`, role: "viewer" }, headers: { "idempotency-key": randomUUID() } };
      const answers = await Promise.all(apis().map((name) => through(name)("POST", "/v1/admin/keys", request)));
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).toBeGreaterThanOrEqual(1);
      for (const answered of answers) {
        if (answered.status !== 201)
          expect([answered.status, answered.body.code]).toEqual([409, "idempotency_key_in_use"]);
        else expect(answered.body.key_id).toBe(made[0]?.body.key_id);
      }
      const again = await through("api-2")("POST", "/v1/admin/keys", request);
      expect(again.body).toMatchObject({ key_id: made[0]?.body.key_id, secret_withheld: true });
      expect(made.filter(({ body }) => body.key !== undefined)).toHaveLength(1);
    };
    await Promise.all(Array.from({ length: 20 }, pair));
    expect(await count("keys where name like 'twin %'")).toBe(20);
  });

  it("let fifty approvers over both processes make one decision, and both workers one execution", async () => {
    const people = await addPeople(database.pool, 50, "approver");
    const task = await dispatched();
    const { body: shown } = await through("api-1")("GET", `/v1/approvals/${task}`);
    const votes = await Promise.all(
      people.map(({ secret }, i) =>
        through(`api-${1 + (i % 2)}`, secret)("POST", `/v1/approvals/${task}/approve`, {
          body: { digest: shown.digest },
        }),
      ),
    );
    const decided = votes.filter(({ status }) => status === 200);
    expect(decided).toHaveLength(1);
    for (const { status, body } of votes)
      if (status !== 200) expect([status, body.code]).toEqual([409, "already_decided"]);
    await untilTask(task, "completed");
    const types = await rows<{ type: string; n: number }>(
      "select type, count(*)::int as n from events where task_id = $1 group by type",
      [task],
    );
    const once = Object.fromEntries(types.map(({ type, n }) => [type, n]));
    expect(once).toEqual({
      "task.created": 1,
      "task.approval_required": 1,
      "task.approved": 1,
      "task.started": 1,
      "task.completed": 1,
    });
    expect(await count("events where type = 'approval.decided' and body::json ->> 'task_id' = $1", [task])).toBe(1);
    expect(await rows("select status, decided_by from approvals where task_id = $1", [task])).toEqual([
      { status: "consumed", decided_by: decided[0]?.body.votes[0].voter.id },
    ]);
    expect(await count("approval_votes v join approvals a on a.id = v.approval_id where a.task_id = $1", [task])).toBe(
      1,
    );
    await oneExecution([task]);
  });

  /** Each task was started and completed by one recorded call, and no step of it finished twice. */
  async function oneExecution(tasks: string[]): Promise<void> {
    for (const operation of ["tasks.startTask", "tasks.completeTask"]) {
      const found = await rows<{ task: string; n: number }>(
        `select body::json ->> 'task_id' as task, count(*)::int as n from audit_records
         where body::json ->> 'operation' = $1 and body::json ->> 'outcome' = 'allowed' and body::json ->> 'task_id' = any($2) group by 1`,
        [operation, tasks],
      );
      expect({ operation, tasks: found.length, most: Math.max(...found.map(({ n }) => n)) }).toEqual({
        operation,
        tasks: tasks.length,
        most: 1,
      });
    }
    const steps = await rows<{ n: number }>(
      "select count(*)::int as n from steps where task_id = any($1) and state = 'finished' group by task_id, number",
      [tasks],
    );
    expect(steps.length).toBeGreaterThanOrEqual(tasks.length);
    expect(Math.max(...steps.map(({ n }) => n))).toBe(1);
    expect(await count("tasks where id = any($1) and status = 'completed' and attempt = 1", [tasks])).toBe(
      tasks.length,
    );
  }

  it("run a hundred tasks that nobody has to approve once each, whichever worker is woken", async () => {
    const accept = async (_: unknown, i: number): Promise<string> => {
      const body = { ...givenBody, require_approval: false };
      const answered = await through(`api-${1 + (i % 2)}`)("POST", dispatchPath, { body });
      expect([answered.status, answered.body.status]).toEqual([202, "queued"]);
      return answered.body.task_id;
    };
    const tasks = await Promise.all(Array.from({ length: 100 }, accept));
    await until(
      "all are completed",
      async () => (await count("tasks where id = any($1) and status = 'completed'", [tasks])) === tasks.length,
      30_000,
    );
    await oneExecution(tasks);
  });

  it("answer 503 overloaded, and decide nothing, while they cannot confirm their facts, and recover by themselves", async () => {
    const ask = (name: string) => () => through(name)("GET", "/v1/admin/whoami");
    const overloaded = (a: Answered): boolean => a.status === 503 && a.body.code === "overloaded";
    await database.pool.query("alter table fact_epochs rename to fact_epochs_away"); // nobody can tell any more whether what he holds is current
    try {
      const since = performance.now();
      const times = await Promise.all(
        apis().map((name) => lastDecidedByOldFacts(since, ask(name), (a) => a.status === 200, overloaded)),
      );
      for (const time of times) expect(time).toBeLessThanOrEqual(rule);
      const before = await count("tasks");
      for (const name of apis()) {
        const refused = await through(name)("POST", dispatchPath, { body: givenBody });
        expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([503, "overloaded", true]);
        expect(refused.headers.get("retry-after")).toBe("1");
        expect(await count("audit_records where id = $1", [refused.headers.get("audit-ref")])).toBe(1);
        expect((await fetch(`${services.get(name)?.url}/readyz`)).status).toBe(503);
      }
      expect(await count("tasks")).toBe(before);
    } finally {
      await database.pool.query("alter table fact_epochs_away rename to fact_epochs");
    }
    for (const name of apis())
      await until(`${name} serves again`, async () => (await ask(name)()).status === 200, 5_000);
  });

  it("outlive the loss of every connection to the database, refusing meanwhile, and carry on when it is back", async () => {
    const name = new URL(database.connectionString).pathname.slice(1);
    const outside = new URL(database.connectionString);
    outside.pathname = "/template1"; // any other database of the server
    const operator = new pg.Client({ connectionString: outside.href });
    await operator.connect();
    try {
      await operator.query(`alter database ${name} with allow_connections false`);
      await operator.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      for (const api of apis()) {
        for (const answered of [
          await through(api)("POST", dispatchPath, { body: givenBody }),
          await through(api)("GET", "/v1/tasks"),
          await through(api)("POST", "/v1/admin/keys", { body: { name: "lost", role: "viewer" } }),
        ]) {
          expect([answered.status, answered.body.retryable]).toEqual([503, true]);
          expect(["audit_unavailable", "overloaded"]).toContain(answered.body.code);
          expect(answered.headers.get("retry-after")).toMatch(/^\d+$/);
        }
      }
    } finally {
      await operator.query(`alter database ${name} with allow_connections true`);
      await operator.end();
    }
    for (const api of apis()) {
      await until(
        `${api} serves again`,
        async () => (await through(api)("GET", "/v1/admin/whoami")).status === 200,
        10_000,
      );
    }
    expect(await count("keys where name = 'lost'")).toBe(0);
    const answered = await through("api-2")("POST", dispatchPath, { body: { ...givenBody, require_approval: false } });
    await untilTask(answered.body.task_id, "completed");
  });

  /** Which process sequences the log of development: the holder of its advisory lock (the first half of its key is the bytes of "aosa"). */
  async function leaders(): Promise<string[]> {
    const found = await rows<{ name: string }>(
      `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and l.classid = x'616f7361'::int::oid and a.datname = current_database()
         and l.database = (select oid from pg_database where datname = current_database())
         and l.objid = (hashtext('default/development')::bigint & x'ffffffff'::bigint)::text::oid`,
    );
    return found.map(({ name }) => name);
  }

  it("have one sequencer of a log at a time; when its process is killed another one takes over within a second", async () => {
    for (let round = 0; round < 3; round++) {
      await until("one process sequences", async () => (await leaders()).length === 1);
      const [leader] = (await leaders()) as [string];
      const survivor = apis().find((name) => name !== leader) as string;
      const calls = Promise.all(
        Array.from({ length: 20 }, () => through(survivor)("POST", dispatchPath, { body: givenBody })),
      );
      const killed = performance.now();
      const service = services.get(leader) as ServiceProcess;
      expected.add(service);
      await service.kill();
      try {
        await until("another process sequences", async () => (await leaders()).some((name) => name !== leader));
        expect(performance.now() - killed).toBeLessThanOrEqual(busy);
        for (const { status } of await calls) expect(status).toBe(202);
        const last = await through(survivor)("POST", dispatchPath, { body: givenBody });
        // A long transaction of another test on the same server may hold the log up, so no bound of its own.
        const proved = async (): Promise<boolean> =>
          (await through(survivor)("GET", `/v1/audit/events/${last.body.audit_ref}/proof`)).status === 200;
        await until("the record is in the log", proved);
      } finally {
        await calls.catch(() => undefined);
        await start(leader);
      }
    }
  }, 90_000);

  it("left logs without a gap or a double: leaf indices, the numbers of each key, and the sequence of events", async () => {
    for (const environment of ["development", "production"] as const) {
      await untilLogged(database.pool, environment);
      const [log] = await rows<{ tree_size: number; event_sequence: number }>(
        "select tree_size, event_sequence from audit_logs where environment = $1",
        [environment],
      );
      const gapless = async (of: string, from: string): Promise<void> => {
        const found = await rows<{ n: number; different: number; first: number; last: number }>(
          `select count(*)::int as n, count(distinct ${of})::int as different, min(${of})::int as first, max(${of})::int as last ${from}`,
          [environment],
        );
        for (const { n, different, first, last } of found)
          expect({ of, n, different }).toEqual({ of, n: last - first + 1, different: n });
        for (const { first } of found) expect({ of, first }).toEqual({ of, first: of === "leaf_index" ? 0 : 1 });
      };
      await gapless("leaf_index", "from audit_leaves where environment = $1");
      await gapless("key_seq", "from audit_leaves where environment = $1 and key_id is not null group by key_id");
      await gapless("sequence", "from event_positions where environment = $1");
      expect(await count("audit_leaves where environment = $1", [environment])).toBe(log?.tree_size);
      expect(await count("event_positions where environment = $1", [environment])).toBe(log?.event_sequence);
      const file = path.join(folder.dataDir, `${environment}.jsonl`);
      await writeExport(database.pool, file, environment);
      const report = await verifiedTwice(file, await trustedKey(database.pool, environment));
      expect(report).toMatchObject({ verified: true, leaves: log?.tree_size, findingsTotal: 0 });
    }
  });
});
