import type pg from "pg";
import { readLag, readStops } from "../audit-log/index.ts";
import { auditLogRows } from "../audit-log/shared-rows.ts";
import type { OpenDatabase } from "../db/open.ts";
import { approvalRows } from "../features/approvals/shared-rows.ts";
import { handoverRows } from "../features/chat/shared-rows.ts";
import { budgetRows, budgetUseRows } from "../features/governance/shared-rows.ts";
import { taskRows } from "../features/tasks/shared-rows.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeOfId } from "../kernel/ids.ts";
import type { GaugeReader, Meter, Reading } from "../kernel/metrics.ts";

// What the database knows of the whole installation, read when metrics are asked for. Every process answers the same: queries take the maximum.

/** Rows of a kind are counted up to so many, so that asking costs milliseconds however much waits. */
const most = 100_000;
/** Several who ask at about the same time are answered from one look (milliseconds). */
const keptMs = 5_000;
/** A database that does not answer in time leaves its gauges out (milliseconds). */
const patienceMs = 3_000;

export interface DatabaseGaugeParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly meter: Meter;
}

type Rows = readonly Record<string, string | number>[];

/** Enters the gauges of what waits: tasks, jobs, approvals, the audit log, budgets; and of the pools of connections. */
export function enterDatabaseGauges({ database, clock, meter }: DatabaseGaugeParts): void {
  const pool = database.machinePool;
  const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => keptFor(clock, read);
  const rowsOf = (text: string) =>
    shared(async () => (await pool.query<Record<string, string | number>>(text, [most])).rows as Rows);
  const gauge = (name: string, labels: readonly string[], help: string, read: GaugeReader): void =>
    meter.gauge({ name, labels, help }, read);
  const column =
    (rows: () => Promise<Rows>, labels: readonly string[], value: string): GaugeReader =>
    async () =>
      (await rows()).map((row): Reading => [labels.map((name) => String(row[name])), Number(row[value])]);

  // Before what is read from the database, which waits for these connections itself.
  enterPoolGauges(meter, database);
  const tasks = rowsOf(waitingTasks);
  const counted = `Counted up to ${most}.`;
  gauge(
    "aos_tasks",
    ["environment", "state"],
    `Tasks that have not ended, by state. ${counted}`,
    column(tasks, ["environment", "state"], "n"),
  );
  const queue = rowsOf(oldestQueued);
  const waited = "Age of the task that has been ready for a worker the longest; none: 0.";
  gauge("aos_task_queue_oldest_seconds", [], waited, column(queue, [], "seconds"));
  const jobs = rowsOf(waitingJobs);
  gauge("aos_jobs", ["job", "state"], `Wake-ups in the queue. ${counted}`, column(jobs, ["job", "state"], "n"));
  const approvals = rowsOf(pendingApprovals);
  gauge(
    "aos_approvals_pending",
    ["environment"],
    `Approvals that wait for people. ${counted}`,
    column(approvals, ["environment"], "n"),
  );
  const age = "Age of the approval that has waited for people the longest.";
  gauge("aos_approvals_oldest_seconds", ["environment"], age, column(approvals, ["environment"], "seconds"));
  const budgets = rowsOf(usedBudgets);
  const use =
    "How much of its hard limit a budget's present window has used, as reported by processes each second; the 200 fullest.";
  const ofBudget = ["environment", "scope", "unit", "period"];
  gauge("aos_budget_used_ratio", ofBudget, use, column(budgets, ofBudget, "ratio"));
  gauge(
    "aos_audit_log_stopped",
    ["environment", "reason"],
    "1 for each audit log that is not signed at present, by why.",
    async () => (await readStops(pool)).map(({ scope, reason }): Reading => [[scope.environment, reason], 1]),
  );
  enterQueueGauges(gauge, column, rowsOf(waitingConversations));
  enterLogGauges(
    meter,
    clock,
    shared(() => readLag(pool)),
  );
}

function enterQueueGauges(
  gauge: (name: string, labels: readonly string[], help: string, read: GaugeReader) => void,
  column: (rows: () => Promise<Rows>, labels: readonly string[], value: string) => GaugeReader,
  rows: () => Promise<Rows>,
): void {
  const labels = ["environment", "team"];
  const counted = `Conversations that wait for a person, by team. Counted up to ${most}.`;
  gauge("aos_chat_waiting", labels, counted, column(rows, labels, "n"));
  const age = "Age of the hand-over that has waited for a person the longest, by team.";
  gauge("aos_chat_waiting_oldest_seconds", labels, age, column(rows, labels, "seconds"));
}

function enterLogGauges(meter: Meter, clock: Clock, lag: () => Promise<Awaited<ReturnType<typeof readLag>>>): void {
  const labels = ["environment"];
  const gauge = (
    name: string,
    help: string,
    value: (one: Awaited<ReturnType<typeof readLag>>[number]) => number,
  ): void =>
    meter.gauge({ name, labels, help }, async () =>
      (await lag()).map((one): Reading => [[one.scope.environment], value(one)]),
    );
  gauge("aos_audit_tree_size", "Records in the audit log that proofs can be asked of.", ({ treeSize }) => treeSize);
  gauge(
    "aos_audit_waiting_records",
    `Records that wait for their place in the log. Counted up to ${most}.`,
    ({ waiting }) => waiting,
  );
  gauge(
    "aos_audit_lag_seconds",
    "Age of the oldest record that waits for its place in the log.",
    ({ oldestWaiting }) => {
      const since = oldestWaiting === null ? undefined : timeOfId(oldestWaiting);
      return since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000;
    },
  );
}

function enterPoolGauges(meter: Meter, { pool, machinePool, readPool }: OpenDatabase): void {
  const pools: readonly (readonly [string, pg.Pool])[] = [
    ["calls", pool],
    ["machines", machinePool],
    ["reads", readPool],
  ];
  meter.gauge(
    {
      name: "aos_database_connections",
      labels: ["pool", "state"],
      help: "Connections of this process, and who waits for one.",
    },
    () =>
      pools.flatMap(([name, { totalCount, idleCount, waitingCount }]): Reading[] => [
        [[name, "used"], totalCount - idleCount],
        [[name, "idle"], idleCount],
        [[name, "waited_for"], waitingCount],
      ]),
  );
  meter.gauge(
    { name: "aos_database_connections_max", labels: ["pool"], help: "Connections that this process may open." },
    () => pools.map(([name, { options }]): Reading => [[name], options.max ?? 10]),
  );
}

/** The same answer for a few seconds, and one question at a time. One that fails is asked again by the next. */
function keptFor<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    const now = clock.now();
    if (last === null || now - last.at >= keptMs) {
      const answer = withPatience(read());
      const asked = { at: now, answer };
      last = asked;
      answer.catch(() => {
        if (last === asked) last = null;
      });
    }
    return last.answer;
  };
}

async function withPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the database did not answer in time")), patienceMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const scopes = `(select distinct organization, environment from ${auditLogRows} audit_logs where environment = any('{development,staging,production}')) s`;

const waitingTasks = `select s.environment, w.state, sum(c.n)::int as n
  from ${scopes} cross join unnest('{queued,awaiting_approval,running,input_required}'::text[]) as w(state)
  cross join lateral (select count(*) as n from (select from ${taskRows} t
    where t.organization = s.organization and t.environment = s.environment and t.status = w.state limit $1) f) c
  group by 1, 2`;

const oldestQueued = `select coalesce(extract(epoch from now() - (select t.updated_at from ${taskRows} t
    where t.status = 'queued' and (t.not_before is null or t.not_before <= now()) order by t.updated_at limit least(1, $1::int))), 0)::float8 as seconds`;

const waitingJobs = `select j.task_identifier as job,
    case when j.attempts >= j.max_attempts then 'given_up' when j.locked_at is not null then 'running' when j.run_at > now() then 'scheduled' else 'ready' end as state,
    count(*)::int as n
  from (select * from graphile_worker.jobs limit $1) j group by 1, 2`;

const pendingApprovals = `select s.environment, sum(c.n)::int as n, max(coalesce(extract(epoch from now() - o.created_at), 0))::float8 as seconds
  from ${scopes}
  cross join lateral (select count(*) as n from (select from ${approvalRows} a
    where a.organization = s.organization and a.environment = s.environment and a.status = 'pending' limit $1) f) c
  left join lateral (select a.created_at from ${approvalRows} a
    where a.organization = s.organization and a.environment = s.environment and a.status = 'pending' order by a.id limit 1) o on true
  group by 1`;

const waitingConversations = `select h.environment, coalesce(h.team, '') as team, count(*)::int as n,
    extract(epoch from now() - min(h.requested_at))::float8 as seconds
  from (select environment, team, requested_at from ${handoverRows} h where h.ended_at is null and h.taken_at is null limit $1) h group by 1, 2`;

const usedBudgets = `select b.environment, b.scope, b.unit, b.period, (coalesce(u.used, 0)::float8 / greatest(b.hard, 1)) as ratio
  from ${budgetRows} b left join ${budgetUseRows} u on u.organization = b.organization and u.environment = b.environment and u.scope = b.scope
    and u.unit = b.unit and u.period = b.period
    and u.starts_at = case b.period when 'total' then b.created_at else date_trunc(b.period, now()) end
  where b.hard is not null order by ratio desc limit least(200, $1::int)`;
