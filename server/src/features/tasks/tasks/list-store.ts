import type { ReadContext } from "../../../kernel/context.ts";
import type { InboxSource } from "../../../kernel/inbox.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { createdWithin } from "../../../kernel/moment.ts";
import { keyRows } from "../../admin/shared-rows.ts";
import { trustJudgementRows } from "../../agents/shared-rows.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";
import type { TaskState } from "../schemas.ts";
import { type TaskRow, taskColumns } from "./store.ts";

export const taskOrigins = ["call", "conversation", "workflow", "mission"] as const;
type TaskOrigin = (typeof taskOrigins)[number];

const ofMission = `run_id in (select id from ${workflowRunRows} workflow_runs where organization = $1 and environment = $2 and mission is not null)`;
const isFrom: Readonly<Record<TaskOrigin, string>> = {
  call: "conversation is null and run_id is null",
  conversation: "conversation is not null",
  workflow: `conversation is null and run_id is not null and not ${ofMission}`,
  mission: `conversation is null and ${ofMission}`,
};
/** Tasks have an index by member, not by key. */
const memberOfKey = (key: string): string =>
  `select member_id from ${keyRows} keys where organization = $1 and environment = $2 and id = ${key}`;
/** Judged in the task itself: versions that are evaluated on it have judgements of their own. */
const isJudged = `exists (select from ${trustJudgementRows} j where j.organization = tasks.organization and j.environment = tasks.environment
  and j.agent = tasks.agent and j.skill = tasks.skill and j.id = tasks.id and j.source <> 'evaluation')`;

export interface TaskFilter {
  readonly agent?: string[];
  readonly status?: TaskState[];
  readonly task?: string;
  readonly risk?: string[];
  readonly batch?: string;
  readonly run?: string;
  readonly mission?: string;
  readonly label?: string;
  /** An id, or a number. */
  readonly version?: string;
  readonly key?: string;
  readonly member?: string;
  readonly origin?: TaskOrigin;
  readonly judged?: boolean;
  readonly trust_below?: number;
  readonly cost_above?: number;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** A page of tasks, newest first: ids sort by time. A key that is narrowed to agents sees only theirs. */
export async function listTasks(ctx: ReadContext, filter: TaskFilter, page: PageRequest): Promise<TaskRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["organization = $1", "environment = $2"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  // Equality with one value lets an index that ends in the id return the rows in order.
  const oneOf = (column: string, values: readonly string[] | null | undefined): void =>
    values?.length === 1
      ? and((p) => `${column} = ${p}`, values[0])
      : and((p) => `${column} = any(${p}::text[])`, values);
  oneOf("agent", filter.agent);
  oneOf("agent", ctx.principal.agents);
  oneOf("status", filter.status);
  and((p) => `skill = ${p}`, filter.task);
  oneOf("risk_level", filter.risk);
  and((p) => `batch_id = ${p}`, filter.batch);
  and((p) => `run_id = ${p}`, filter.run);
  and(
    (p) =>
      `run_id in (select id from ${workflowRunRows} workflow_runs where organization = $1 and environment = $2 and mission = ${p})`,
    filter.mission,
  );
  and((p) => `labels @> array[${p}::text] and labels <> '{}'`, filter.label);
  if (filter.version?.startsWith("ver_")) and((p) => `version_id = ${p}`, filter.version);
  else and((p) => `version_number = ${p}::int`, filter.version);
  and((p) => `key_id = ${p} and principal = (${memberOfKey(p)})`, filter.key);
  and((p) => `principal = ${p}`, filter.member);
  if (filter.origin !== undefined) where.push(`(${isFrom[filter.origin]})`);
  and((p) => `${isJudged} = ${p}`, filter.judged);
  and((p) => `trust_score < ${p}`, filter.trust_below);
  and((p) => `cost_usd > ${p}`, filter.cost_above);
  createdWithin(and, ["tsk", "id"], filter);
  and((p) => `id < ${p}`, page.after?.id);
  values.push(page.take);
  return ctx.db.query<TaskRow>(
    `select ${taskColumns} from tasks where ${where.join(" and ")} order by id desc limit $${values.length}`,
    values,
  );
}

/** Numbers of tasks by state, each counted up to `most`, by index alone. `agents`: only theirs; null: all. */
export async function countTasks<S extends TaskState>(
  ctx: ReadContext,
  states: readonly S[],
  agents: readonly string[] | null,
  most: number,
): Promise<Record<S, number>> {
  const rows = await ctx.db.query<{ status: S; n: number }>(
    `select s.status, (select count(*) from (
       select 1 from tasks t where t.organization = $1 and t.environment = $2 and t.status = s.status
         and ($4::text[] is null or t.agent = any($4)) limit $5) counted)::int as n
     from unnest($3::text[]) s(status)`,
    [ctx.scope.organization, ctx.scope.environment, states, agents, most],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n])) as Record<S, number>;
}

export interface FailedWith {
  readonly code: string;
  readonly tasks: number;
  readonly latest: string;
}

/** Failures of an agent's newest failed tasks, most frequent first; `before` and `since` are ids. */
export async function countFailures(
  ctx: ReadContext,
  of: { readonly agent: string; readonly skill?: string | undefined; readonly label?: string | undefined },
  ids: { readonly since: string; readonly before: string },
  most: number,
): Promise<FailedWith[]> {
  return ctx.db.query<FailedWith & Record<string, unknown>>(
    `select code, count(*)::int as tasks, max(id) as latest from (
       select id, coalesce(failure::json ->> 'code', 'unknown') as code from tasks
       where organization = $1 and environment = $2 and agent = $3 and status = 'failed' and id >= $4 and id < $5
         and ($6::text is null or skill = $6) and ($7::text is null or $7 = any(labels))
       order by id desc limit $8) newest
     group by code order by tasks desc, code`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      of.agent,
      ids.since,
      ids.before,
      of.skill ?? null,
      of.label ?? null,
      most,
    ],
  );
}

/** Questions of tasks, those of conversations too. */
export const taskQuestions: InboxSource = {
  kind: "question",
  reads: "tasks:read",
  acts: "tasks:write",
  sql: `select t.id, coalesce(t.title, t.skill), t.question::json ->> 'text', t.agent, t.risk_level, coalesce((t.question::json ->> 'asked_at')::timestamptz, t.updated_at),
      t.deadline, t.id, t.run_id, t.run_workflow, null::text, true, coalesce('/conversations/' || t.conversation, '/tasks/' || t.id)
    from tasks t
    where t.organization = $1 and t.environment = $2 and t.status = 'input_required' and t.question::json ->> 'kind' <> 'results' and ($3::text[] is null or t.agent = any($3))`,
};
