import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { openSecrets } from "../src/db/secrets.ts";
import { dispatchOne } from "./bodies.ts";
import { recordMacSql } from "./record-mac.ts";
import type { Service } from "./service.ts";

export interface FillOptions {
  /** Tasks; each brings an approval, an audit record and two events. */
  readonly rows: number;
  readonly say: (line: string) => void;
}

/** Rows that one transaction writes. */
const chunk = 25_000;

/**
 * SQL of the id of row `n`: ten characters of its time (`stamp`), then sixteen that are spread evenly (hexadecimal digits are part of the ids' alphabet).
 */
const idOf = (prefix: string, stamp = "stamp", n = "n"): string =>
  `'${prefix}_' || ${stamp} || left(md5('${prefix}' || ${n}), 16)`;

/**
 * Fills a service's database by copying one real dispatch: every column as the service wrote it, besides ids, times, state, agent, risk, and texts that name
 * the ids. The state of most is final, as in an installation that has run for a month. Waits until the audit log has sequenced all of it.
 */
export async function fill(service: Service, { rows, say }: FillOptions): Promise<void> {
  const { pool } = service;
  const began = performance.now();
  await pool.query("select ensure_partitions(now() - interval '31 days', now())");
  await makeTemplate(service);
  const statements = await copyStatements(service);
  for (let from = 0; from < rows; from += chunk) {
    const to = Math.min(rows, from + chunk);
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query(newRows(rows, from, to));
      for (const statement of statements) await client.query(statement);
      await client.query("commit");
    } finally {
      client.release(true);
    }
  }
  const written = performance.now();
  await untilSequenced(pool);
  const sequenced = performance.now();
  await pool.query("drop schema bench cascade");
  await pool.query("vacuum analyze");
  await pool.query("checkpoint");
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(0);
  say(
    `  filled with ${rows.toLocaleString("en")} tasks, approvals and audit records and twice as many events in ${seconds(began, written)} s; sequenced ${seconds(written, sequenced)} s later`,
  );
}

/** One dispatch, its rows kept apart so that copies do not grow with what is copied. */
async function makeTemplate({ url, key, pool }: Service): Promise<void> {
  const { task_id: task } = await dispatchOne(url, key);
  await pool.query("create schema bench");
  await pool.query(`create table bench.tasks as select * from tasks where id = '${task}'`);
  await pool.query(`create table bench.approvals as select * from approvals where task_id = '${task}'`);
  await pool.query(
    "create table bench.audit_records as select r.* from audit_records r join bench.tasks t on r.id = t.audit_ref",
  );
  await pool.query(`create table bench.events as select * from events where task_id = '${task}'`);
}

/** The ids, times and states of a chunk's rows, as a temporary table. Numbers begin at 0; the highest is the newest; times run from 30 days ago until a minute ago. */
function newRows(total: number, from: number, to: number): string {
  return `create temporary table new_rows on commit drop as
    select n, at, stamp, ${idOf("tsk")} as task, ${idOf("apr")} as approval, ${idOf("aud")} as audit, ${idOf("req")} as request,
      ('{it,support,billing,legal,onboarding,procurement,research,travel,hr,sales}'::text[])[1 + least(9, n % 14)] as agent,
      case when n % 997 < 10 then 'awaiting_approval' when n % 997 < 15 then 'queued' when n % 997 < 70 then 'failed'
        when n % 997 < 90 then 'cancelled' when n % 997 < 120 then 'rejected' else 'completed' end as status,
      case when n % 101 < 62 then 'low' when n % 101 < 90 then 'medium' when n % 101 < 100 then 'high' else 'critical' end as risk
    from (select n, at, substr(id_floor('x', at), 3) as stamp
      from (select n, now() - interval '1 minute' - (${total - 1} - n) * (interval '30 days' / ${total}) as at
        from generate_series(${from}::bigint, ${to - 1}::bigint) as n) as times) as stamped`;
}

/** Per table, which columns of a copy differ from the template (`t`), as SQL over the new row (`r`). */
function changes(texts: (column: string) => string, macKey: Buffer): Record<string, Record<string, string>> {
  return {
    tasks: {
      id: "r.task",
      agent: "r.agent",
      status: "r.status",
      risk_level: "r.risk",
      audit_ref: "r.audit",
      approval_id: "r.approval",
      idempotency_hash: "left(encode(sha256(('key' || r.n)::bytea), 'base64'), 22)",
      request_digest: "left(encode(sha256(('body' || r.n)::bytea), 'base64'), 43)",
      answer: `'{"task_id":"' || r.task || '","status":"awaiting_approval","trust_score":0.5,"audit_ref":"' || r.audit || '"}'`,
      created_at: "r.at",
      updated_at: "r.at",
      finished_at: "case when r.status in ('awaiting_approval', 'queued') then null else r.at end",
    },
    approvals: {
      id: "r.approval",
      task_id: "r.task",
      agent: "r.agent",
      nonce: "left(r.request, 26)",
      created_at: "r.at",
      status:
        "case when r.status = 'awaiting_approval' then 'pending' when r.status in ('rejected', 'cancelled') then r.status else 'consumed' end",
    },
    audit_records: {
      id: "r.audit",
      n: "row_number() over (order by r.n) - 1",
      xid: "pg_current_xact_id()",
      body: texts("body"),
      writer: "'bench'",
      number: "r.n",
      mac: recordMacSql(macKey, [
        "t.organization",
        "t.environment",
        "'bench'",
        "r.n",
        "r.audit",
        "t.salt_id",
        texts("body"),
      ]),
    },
    events: {
      id: idOf("evt", "r.stamp", "r.n || '-' || t.task_sequence"),
      n: "row_number() over (order by r.n, t.task_sequence) - 1",
      xid: "pg_current_xact_id()",
      task_id: "r.task",
      audit_id: "r.audit",
      body: texts("body"),
      created_at: "r.at",
    },
  };
}

/** One insert per table. Columns that are not named stay as the service wrote them, so that a new one needs no change here. */
async function copyStatements({ pool, dataDir }: Service): Promise<string[]> {
  const macKey = (await openSecrets({ pool, keySource: { dataDir } })).auditMacKey();
  const { rows } = await pool.query<{ task: string; approval: string; audit: string }>(
    "select id as task, approval_id as approval, audit_ref as audit from bench.tasks",
  );
  const { task, approval, audit } = rows[0] as { task: string; approval: string; audit: string };
  const texts = (column: string): string =>
    `replace(replace(replace(t.${column}, '${task}', r.task), '${audit}', r.audit), '${approval}', r.approval)`;
  return Promise.all(
    Object.entries(changes(texts, macKey)).map(async ([table, changed]) => {
      const columns = (
        await pool.query<{ name: string }>(
          `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
          [`public.${table}`],
        )
      ).rows.map(({ name }) => name);
      const values = columns.map((name) => changed[name] ?? `t.${name}`);
      return `insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from new_rows r cross join bench.${table} t order by r.n`;
    }),
  );
}

/** Waits until the log of `development` holds every record. */
export async function untilSequenced(pool: pg.Pool, environment = "development"): Promise<void> {
  const text = `select (select count(*) from audit_records where organization = 'default' and environment = $1)
    - coalesce((select tree_size from audit_logs where organization = 'default' and environment = $1), 0) as waiting`;
  let before = Number.POSITIVE_INFINITY;
  let still = 0;
  for (;;) {
    const waiting = Number((await pool.query<{ waiting: string }>(text, [environment])).rows[0]?.waiting);
    if (waiting <= 0) return;
    still = waiting < before ? 0 : still + 1;
    if (still > 60) throw new Error(`the sequencer stands still, ${waiting} records wait`);
    before = waiting;
    await delay(500);
  }
}
