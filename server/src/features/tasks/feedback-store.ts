import { all, insert, newestFirst, type Row, select } from "../../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import { isIntact, type SealedTask, sealedColumns } from "./result.ts";
import { isFinal } from "./states.ts";

/** Feedback with who gave it and when. `correction` is JSON. */
export type GivenFeedback = Omit<Row<"task_feedback">, "organization" | "environment">;

/** A page of what was said of a task, newest first. */
export function listFeedback(ctx: ReadContext, task: string, page: PageRequest): Promise<GivenFeedback[]> {
  const said = select(ctx, "task_feedback", "f").selectAll().where("f.task_id", "=", task);
  return all(ctx, newestFirst(said, "f.id", page));
}

/** Adds feedback of the caller, given now. */
export async function insertFeedback(
  ctx: WriteContext,
  row: Omit<GivenFeedback, "author" | "created_at">,
): Promise<GivenFeedback> {
  const given = { ...row, author: ctx.principal.id, created_at: new Date(ctx.now) };
  await all(ctx, insert(ctx, "task_feedback", given));
  return given;
}

/** An input of a skill with the output that people said is right for it. */
export interface TaughtExample {
  readonly task_id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  /** When they said so, in milliseconds since the epoch. */
  readonly at: number;
}

/** What training may learn from feedback. */
export interface Taught {
  readonly examples: TaughtExample[];
  /** How many more there would be if what their tasks ended with were what the service wrote. */
  readonly notIntact: number;
}

type TaughtRow = SealedTask & { readonly correction: string | null; readonly taught_at: Date };

/** The latest feedback on each task that training may learn from. */
const taught = (where: string): string => `
  select ${sealedColumns("t")}, latest.correction, latest.created_at as taught_at from (
    select distinct on (f.task_id) f.task_id, f.correction, f.trains, f.created_at from task_feedback f
    where f.organization = $1 and f.environment = $2 and ${where}
    order by f.task_id, f.id desc) latest
  join tasks t on t.organization = $1 and t.environment = $2 and t.id = latest.task_id
  where latest.trains and coalesce(latest.correction, t.output) is not null order by t.id desc`;

/** The output is the correction, else the task's own, which was accepted. A task that runs again teaches when it has ended: until then nothing vouches for its input. */
function examplesOf(sealing: Pick<CallContext, "seals" | "scope">, rows: readonly TaughtRow[]): Taught {
  const ended = rows.filter(({ status }) => isFinal(status));
  const intact = ended.filter((row) => isIntact(sealing, row));
  const examples = intact.map(({ id, input, output, correction, taught_at }) => ({
    task_id: id,
    at: taught_at.getTime(),
    input: JSON.parse(input),
    output: JSON.parse((correction ?? output) as string),
  }));
  return { examples, notIntact: ended.length - intact.length };
}

type TaughtReads = Pick<CallContext, "seals" | "scope"> & { readonly db: Statements };

/** What people taught an agent's skill in a scope by feedback given before `before` (an id), newest tasks first, `most` of them. */
export async function listTaught(
  ctx: TaughtReads,
  {
    agent,
    skill,
    before,
    most,
  }: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
): Promise<Taught> {
  const { organization, environment } = ctx.scope;
  const text = `${taught("f.agent = $3 and f.skill = $4 and f.id < $5")} limit $6`;
  return examplesOf(ctx, await ctx.db.query<TaughtRow>(text, [organization, environment, agent, skill, before, most]));
}

/** What people taught by feedback on these tasks; a task of which nobody said what is right is not among them. */
export async function listTaughtTasks(ctx: TaughtReads, tasks: readonly string[]): Promise<Taught> {
  const { organization, environment } = ctx.scope;
  return examplesOf(
    ctx,
    await ctx.db.query<TaughtRow>(taught("f.task_id = any($3::text[])"), [organization, environment, tasks]),
  );
}

/** The inputs, as JSON, of tasks whose feedback before an audit record taught a skill. */
export async function listTaughtInputs(
  { db, scope }: Pick<CallContext, "scope"> & { readonly db: Pick<Statements, "query"> },
  { agent, skill, before }: { readonly agent: string; readonly skill: string; readonly before: string },
): Promise<string[]> {
  const rows = await db.query<{ input: string }>(
    `select distinct t.input from task_feedback f
     join tasks t on t.organization = f.organization and t.environment = f.environment and t.id = f.task_id
     where f.organization = $1 and f.agent = $2 and f.skill = $3 and f.id < $4 and f.trains`,
    [scope.organization, agent, skill, before],
  );
  return rows.map(({ input }) => input);
}
