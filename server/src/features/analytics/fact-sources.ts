import { lowestId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { timeOfSource } from "./families.ts";

// The rows that facts are made of, read by their primary keys. Times in milliseconds since the epoch.

export interface TaskSource {
  readonly id: string;
  readonly agent: string;
  readonly version_id: string;
  readonly skill: string;
  readonly status: string;
  readonly key_id: string | null;
  readonly principal: string;
  readonly risk_level: string;
  readonly labels: readonly string[];
  readonly trust_score: number;
  readonly cost_usd: number;
  readonly tokens: number;
  readonly origin: "call" | "conversation" | "workflow" | "mission";
  readonly started: number | null;
  readonly finished: number | null;
  /** How its outcome was judged, from 0 to 1; null: it was not. */
  readonly outcome: number | null;
  readonly judged_by: string | null;
}

export interface StepSource {
  readonly task_id: string;
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly cost_usd: number;
  readonly tokens: number;
  /** How long it took; null: it has not ended. */
  readonly took: number | null;
}

export interface ApprovalSource {
  readonly id: string;
  readonly task_id: string;
  readonly agent: string;
  readonly version_id: string;
  readonly skill: string;
  readonly tool: string | null;
  readonly risk_level: string;
  readonly status: string;
  readonly decided: number | null;
  readonly decided_by: string | null;
  readonly edited_by: string | null;
}

export interface ViolationSource {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  readonly reason_code: string;
  readonly action: string;
  readonly agent: string | null;
  readonly principal: string;
  readonly key_id: string | null;
}

export interface DeliverySource {
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly finished: number | null;
}

const milliseconds = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::float8`;
const inScope = (alias: string): string => `${alias}.organization = $1 and ${alias}.environment = $2`;

export interface Looking {
  readonly db: Statements;
  readonly scope: Scope;
}

const query = <R extends object>({ db, scope }: Looking, text: string, ...values: readonly unknown[]): Promise<R[]> =>
  db.query<R>(text, [scope.organization, scope.environment, ...values]);

export function readTasks(looking: Looking, ids: readonly string[]): Promise<TaskSource[]> {
  return query<TaskSource>(
    looking,
    `select t.id, t.agent, t.version_id, t.skill, t.status, t.key_id, t.principal, t.risk_level, t.labels, t.trust_score, t.cost_usd, t.tokens,
       case when t.conversation is not null then 'conversation' when t.run_id is null then 'call'
         when exists (select from workflow_runs r where ${inScope("r")} and r.id = t.run_id and r.mission is not null) then 'mission'
         else 'workflow' end as origin,
       ${milliseconds("t.started_at")} as started, ${milliseconds("t.finished_at")} as finished, j.outcome, j.source as judged_by
     from tasks t
     left join lateral (select outcome, source from trust_judgements j
       where ${inScope("j")} and j.agent = t.agent and j.skill = t.skill and j.id = t.id and j.source <> 'evaluation'
       order by judged_at desc, version_id limit 1) j on true
     where ${inScope("t")} and t.id = any($3::text[])`,
    ids,
  );
}

/** Steps of tasks. Their ids lie between those of the tasks and now, which spares the partitions of other months. */
export function readSteps(looking: Looking, tasks: readonly string[], now: number): Promise<StepSource[]> {
  const since = Math.min(...tasks.map(timeOfSource));
  return query<StepSource>(
    looking,
    `select s.task_id, s.kind, s.name, s.state, s.cost_usd, s.tokens, ${milliseconds("s.finished_at")} - ${milliseconds("s.started_at")} as took
     from steps s where ${inScope("s")} and s.task_id = any($3::text[]) and s.id >= $4 and s.id < $5`,
    ...[tasks, lowestId("stp", Math.max(0, since - dayMs)), lowestId("stp", now + dayMs)],
  );
}
const dayMs = 86_400_000;

export function readApprovals(looking: Looking, tasks: readonly string[]): Promise<ApprovalSource[]> {
  return query<ApprovalSource>(
    looking,
    `select a.id, a.task_id, a.agent, a.version_id, a.skill, a.tool, a.risk_level, a.status, ${milliseconds("a.decided_at")} as decided, a.decided_by, a.edited_by
     from approvals a where ${inScope("a")} and a.task_id = any($3::text[])`,
    tasks,
  );
}

/** The tasks of approvals. */
export async function readTasksOf(looking: Looking, approvals: readonly string[]): Promise<string[]> {
  const text = `select distinct a.task_id from approvals a where ${inScope("a")} and a.id = any($3::text[])`;
  return (await query<{ task_id: string }>(looking, text, approvals)).map(({ task_id }) => task_id);
}

/** Violations by `<id>/<source>`. */
export function readViolations(looking: Looking, keys: readonly string[]): Promise<ViolationSource[]> {
  return query<ViolationSource>(
    looking,
    `select v.id, v.source, v.kind, v.reason_code, v.action, v.agent, v.principal, v.key_id
     from unnest($3::text[], $4::text[]) as k(id, source) join violations v on ${inScope("v")} and v.id = k.id and v.source = k.source`,
    ...halves(keys),
  );
}

/** Deliveries by `<id>/<webhook_id>`. */
export function readDeliveries(looking: Looking, keys: readonly string[]): Promise<DeliverySource[]> {
  return query<DeliverySource>(
    looking,
    `select d.id, d.webhook_id, d.type, d.state, d.attempts, ${milliseconds("d.finished_at")} as finished
     from unnest($3::text[], $4::text[]) as k(id, webhook) join deliveries d on ${inScope("d")} and d.webhook_id = k.webhook and d.id = k.id`,
    ...halves(keys),
  );
}

const halves = (keys: readonly string[]): [string[], string[]] => [
  keys.map((key) => key.slice(0, key.indexOf("/"))),
  keys.map((key) => key.slice(key.indexOf("/") + 1)),
];

/** The models of versions, as `<provider>/<name>`. */
export async function readModels(looking: Looking, versions: readonly string[]): Promise<Map<string, string>> {
  const rows = await looking.db.query<{ id: string; model: string }>(
    `select id, concat_ws('/', definition -> 'model' ->> 'provider', definition -> 'model' ->> 'name') as model
     from agent_versions where organization = $1 and id = any($2::text[])`,
    [looking.scope.organization, versions],
  );
  return new Map(rows.map(({ id, model }) => [id, model]));
}

/** The labels that an environment declares as dimensions. */
export async function readDeclaredLabels({ db, scope }: Looking): Promise<readonly string[]> {
  const [row] = await db.query<{ labels: string[] | null }>(
    "select settings -> 'analytics' -> 'labels' as labels from settings where organization = $1 and environment = $2",
    [scope.organization, scope.environment],
  );
  return row?.labels ?? [];
}
