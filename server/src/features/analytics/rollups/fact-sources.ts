import type { QueryContext } from "../../../kernel/db.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { settingRows } from "../../admin/shared-rows.ts";
import { agentVersionRows, trustJudgementRows } from "../../agents/shared-rows.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { violationRows } from "../../governance/shared-rows.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";
import { deliveryRows } from "../../webhooks/shared-rows.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";
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

const query = <R extends object>(
  { db, scope }: QueryContext,
  text: string,
  ...values: readonly unknown[]
): Promise<R[]> => db.query<R>(text, [scope.organization, scope.environment, ...values]);

export function readTasks(ctx: QueryContext, ids: readonly string[]): Promise<TaskSource[]> {
  return query<TaskSource>(
    ctx,
    `select t.id, t.agent, t.version_id, t.skill, t.status, t.key_id, t.principal, t.risk_level, t.labels, t.trust_score, t.cost_usd, t.tokens,
       case when t.conversation is not null then 'conversation' when t.run_id is null then 'call'
         when exists (select from ${workflowRunRows} r where ${inScope("r")} and r.id = t.run_id and r.mission is not null) then 'mission'
         else 'workflow' end as origin,
       ${milliseconds("t.started_at")} as started, ${milliseconds("t.finished_at")} as finished, j.outcome, j.source as judged_by
     from ${taskRows} t
     left join lateral (select outcome, source from ${trustJudgementRows} j
       where ${inScope("j")} and j.agent = t.agent and j.skill = t.skill and j.id = t.id and j.source <> 'evaluation'
       order by judged_at desc, version_id limit 1) j on true
     where ${inScope("t")} and t.id = any($3::text[])`,
    ids,
  );
}

/** Steps of tasks. Their ids lie between those of the tasks and now, which spares the partitions of other months. */
export function readSteps(ctx: QueryContext, tasks: readonly string[], now: number): Promise<StepSource[]> {
  const since = Math.min(...tasks.map(timeOfSource));
  return query<StepSource>(
    ctx,
    `select s.task_id, s.kind, s.name, s.state, s.cost_usd, s.tokens, ${milliseconds("s.finished_at")} - ${milliseconds("s.started_at")} as took
     from ${stepRows} s where ${inScope("s")} and s.task_id = any($3::text[]) and s.id >= $4 and s.id < $5`,
    tasks,
    lowestId("stp", Math.max(0, since - dayMs)),
    lowestId("stp", now + dayMs),
  );
}
const dayMs = 86_400_000;

export function readApprovals(ctx: QueryContext, tasks: readonly string[]): Promise<ApprovalSource[]> {
  return query<ApprovalSource>(
    ctx,
    `select a.id, a.task_id, a.agent, a.version_id, a.skill, a.tool, a.risk_level, a.status, ${milliseconds("a.decided_at")} as decided, a.decided_by, a.edited_by
     from ${approvalRows} a where ${inScope("a")} and a.task_id = any($3::text[])`,
    tasks,
  );
}

export async function readTasksOf(ctx: QueryContext, approvals: readonly string[]): Promise<string[]> {
  const text = `select distinct a.task_id from ${approvalRows} a where ${inScope("a")} and a.id = any($3::text[])`;
  return (await query<{ task_id: string }>(ctx, text, approvals)).map(({ task_id }) => task_id);
}

export function readViolations(ctx: QueryContext, keys: readonly string[]): Promise<ViolationSource[]> {
  return query<ViolationSource>(
    ctx,
    `select v.id, v.source, v.kind, v.reason_code, v.action, v.agent, v.principal, v.key_id
     from unnest($3::text[], $4::text[]) as k(id, source) join ${violationRows} v on ${inScope("v")} and v.id = k.id and v.source = k.source`,
    ...halves(keys),
  );
}

export function readDeliveries(ctx: QueryContext, keys: readonly string[]): Promise<DeliverySource[]> {
  return query<DeliverySource>(
    ctx,
    `select d.id, d.webhook_id, d.type, d.state, d.attempts, ${milliseconds("d.finished_at")} as finished
     from unnest($3::text[], $4::text[]) as k(id, webhook) join ${deliveryRows} d on ${inScope("d")} and d.webhook_id = k.webhook and d.id = k.id`,
    ...halves(keys),
  );
}

const halves = (keys: readonly string[]): [string[], string[]] => [
  keys.map((key) => key.slice(0, key.indexOf("/"))),
  keys.map((key) => key.slice(key.indexOf("/") + 1)),
];

export async function readModels(ctx: QueryContext, versions: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.query<{ id: string; model: string }>(
    `select id, concat_ws('/', definition -> 'model' ->> 'provider', definition -> 'model' ->> 'name') as model
     from ${agentVersionRows} agent_versions where organization = $1 and id = any($2::text[])`,
    [ctx.scope.organization, versions],
  );
  return new Map(rows.map(({ id, model }) => [id, model]));
}

export async function readDeclaredLabels({ db, scope }: QueryContext): Promise<readonly string[]> {
  const [row] = await db.query<{ labels: string[] | null }>(
    `select settings -> 'analytics' -> 'labels' as labels from ${settingRows} settings where organization = $1 and environment = $2`,
    [scope.organization, scope.environment],
  );
  return row?.labels ?? [];
}
