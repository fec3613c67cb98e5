import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

/** Feedback as it is stored. */
export interface FeedbackRow {
  readonly id: string;
  readonly task_id: string;
  readonly agent: string;
  readonly skill: string;
  readonly version_id: string;
  readonly accepted: boolean | null;
  readonly rating: number | null;
  /** JSON. */
  readonly correction: string | null;
  readonly comment: string | null;
  readonly trains: boolean;
  readonly outcome: number;
}

/** Feedback with who gave it and when. */
export interface GivenFeedback extends FeedbackRow {
  readonly author: string;
  readonly created_at: Date;
}

/** A page of what was said of a task, newest first. */
export async function listFeedback(ctx: ReadContext, task: string, { after, take }: PageRequest): Promise<GivenFeedback[]> {
  return ctx.db.query<GivenFeedback>(
    `select id, task_id, agent, skill, version_id, accepted, rating, correction, comment, trains, outcome, author, created_at from task_feedback
     where organization = $1 and environment = $2 and task_id = $3 and ($4::text is null or id < $4) order by id desc limit $5`,
    [ctx.scope.organization, ctx.scope.environment, task, after?.id ?? null, take],
  );
}

/** Adds feedback of the caller, given now. */
export async function insertFeedback(ctx: WriteContext, row: FeedbackRow): Promise<void> {
  await ctx.db.query(
    `insert into task_feedback (organization, environment, task_id, id, agent, skill, version_id, accepted, rating, correction, comment, trains, outcome,
       author, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      row.task_id,
      row.id,
      row.agent,
      row.skill,
      row.version_id,
      row.accepted,
      row.rating,
      row.correction,
      row.comment,
      row.trains,
      row.outcome,
      ctx.principal.id,
      new Date(ctx.now),
    ],
  );
}

/** An input of a skill with the output that people said is right for it. */
export interface TaughtExample {
  readonly task_id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

/** The latest feedback on each task that training may learn from; the output is the correction, else the task's own, which was accepted. */
const taught = (where: string): string => `
  select task_id, input, output from (
    select distinct on (f.task_id) f.task_id, t.input::json as input, coalesce(f.correction, t.output)::json as output, f.trains
    from task_feedback f join tasks t on t.organization = f.organization and t.environment = f.environment and t.id = f.task_id
    where f.organization = $1 and f.environment = $2 and ${where}
    order by f.task_id, f.id desc) latest
  where trains and output is not null order by task_id desc`;

/** What people taught an agent's skill in a scope by feedback given before `before` (an id), newest tasks first, `most` of them. */
export async function listTaught(
  db: Statements,
  scope: Scope,
  { agent, skill, before, most }: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
): Promise<TaughtExample[]> {
  return db.query<TaughtExample>(`${taught("f.agent = $3 and f.skill = $4 and f.id < $5")} limit $6`, [
    scope.organization,
    scope.environment,
    agent,
    skill,
    before,
    most,
  ]);
}

/** What people taught by feedback on these tasks; a task of which nobody said what is right is not among them. */
export async function listTaughtTasks(ctx: CallContext & { readonly db: Reader }, tasks: readonly string[]): Promise<TaughtExample[]> {
  return ctx.db.query<TaughtExample>(taught("f.task_id = any($3::text[])"), [ctx.scope.organization, ctx.scope.environment, tasks]);
}
