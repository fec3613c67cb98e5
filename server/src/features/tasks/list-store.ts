import type { ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { createdWithin } from "../../kernel/moment.ts";
import type { TaskState } from "./schemas.ts";
import { type TaskRow, taskColumns } from "./store.ts";

/** Where tasks come from. */
export const taskOrigins = ["call", "conversation", "workflow", "mission"] as const;
type TaskOrigin = (typeof taskOrigins)[number];

const ofMission = `run_id in (select id from workflow_runs where organization = $1 and environment = $2 and mission is not null)`;
const isFrom: Readonly<Record<TaskOrigin, string>> = {
  call: "conversation is null and run_id is null",
  conversation: "conversation is not null",
  workflow: `conversation is null and run_id is not null and not ${ofMission}`,
  mission: `conversation is null and ${ofMission}`,
};
/** Tasks have an index by member, not by key. */
const memberOfKey = (key: string): string =>
  `select member_id from keys where organization = $1 and environment = $2 and id = ${key}`;
/** Its outcome was judged in the task itself: versions that are evaluated on it later have judgements of their own. */
const isJudged = `exists (select from trust_judgements j where j.organization = tasks.organization and j.environment = tasks.environment
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

/** A page of tasks, newest first: ids sort by time, so the primary key is the order. A key that is narrowed to agents sees theirs only. */
export async function listTasks(ctx: ReadContext, filter: TaskFilter, page: PageRequest): Promise<TaskRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["organization = $1", "environment = $2"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  // One value is asked for by equality: only then does an index that ends in the id give the rows in their order, without looking at others.
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
    (p) => `run_id in (select id from workflow_runs where organization = $1 and environment = $2 and mission = ${p})`,
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
