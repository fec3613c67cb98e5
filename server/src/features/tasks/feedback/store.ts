import { all, insert, newestFirst, type Row, select, update } from "../../../db/scoped.ts";
import { decidersOf, storableDeciders } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { EraseWork } from "../../../resources/tables.ts";
import { keyRows } from "../../admin/shared-rows.ts";
import { isIntact, type SealedTask, sealedColumns } from "../tasks/result.ts";
import { isFinal, taskJson } from "../tasks/row.ts";

export type GivenFeedback = Omit<Row<"task_feedback">, "organization" | "environment">;
export const feedbackJson = storedJson<{ correction: Record<string, unknown> }>();

/** A page of a task's feedback, newest first. */
export function listFeedback(ctx: ReadContext, task: string, page: PageRequest): Promise<GivenFeedback[]> {
  const said = select(ctx, "task_feedback", "f").selectAll().where("f.task_id", "=", task);
  return all(ctx, newestFirst(said, "f.id", page));
}

export async function insertFeedback(
  ctx: WriteContext,
  row: Omit<GivenFeedback, "author" | "deciders" | "created_at">,
): Promise<GivenFeedback> {
  const deciders = storableDeciders(decidersOf(ctx, "corrected", null));
  const given = { ...row, author: ctx.principal.id, deciders, created_at: new Date(ctx.now) };
  await all(ctx, insert(ctx, "task_feedback", given));
  return given;
}

/** An input of a skill with its right output according to people. */
export interface TaughtExample {
  readonly task_id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What training may learn from feedback. */
export interface Taught {
  readonly examples: TaughtExample[];
  /** Examples left out because their stored outputs were altered. */
  readonly notIntact: number;
}

type TaughtRow = SealedTask & { readonly correction: string | null; readonly taught_at: Date };

/** The latest feedback on each task that training may learn from. */
const taught = (
  where: string,
  columns = `${sealedColumns("t")}, latest.correction, latest.created_at as taught_at`,
): string => `
  select ${columns} from (
    select distinct on (f.task_id) f.task_id, f.correction, f.trains, f.created_at, f.author, f.deciders from task_feedback f
    where f.organization = $1 and f.environment = $2 and ${where}
    order by f.task_id, f.id desc) latest
  join tasks t on t.organization = $1 and t.environment = $2 and t.id = latest.task_id
  where latest.trains and coalesce(latest.correction, t.output) is not null order by t.id desc`;

/** The output is the correction, else the task's own, which was accepted. A task that runs again teaches when it has ended: until then its input is not sealed. */
function examplesOf(sealing: Pick<CallContext, "seals" | "scope">, rows: readonly TaughtRow[]): Taught {
  const ended = rows.filter(({ status }) => isFinal(status));
  const intact = ended.filter((row) => isIntact(sealing, row));
  const examples = intact.map((row) => ({
    task_id: row.id,
    at: row.taught_at.getTime(),
    input: taskJson(row, "input"),
    output: feedbackJson(row, "correction") ?? taskJson(row, "output") ?? {},
  }));
  return { examples, notIntact: ended.length - intact.length };
}

/** Feedback on an agent's skill before `before` (an id); of the newest tasks, `most` of them. */
interface Lesson {
  readonly agent: string;
  readonly skill: string;
  readonly before: string;
  readonly most: number;
}

const ofLesson = "f.agent = $3 and f.skill = $4 and f.id < $5";
const valuesOf = ({ scope }: Pick<CallContext, "scope">, { agent, skill, before, most }: Lesson) => [
  scope.organization,
  scope.environment,
  agent,
  skill,
  before,
  most,
];

type TaughtReads = Pick<CallContext, "seals" | "scope"> & { readonly db: Statements };

/** Examples from feedback before `before` (an id), newest tasks first, `most` of them. */
export async function listTaught(ctx: TaughtReads, lesson: Lesson): Promise<Taught> {
  return examplesOf(ctx, await ctx.db.query<TaughtRow>(`${taught(ofLesson)} limit $6`, valuesOf(ctx, lesson)));
}

/** Examples from feedback on these tasks, without tasks whose right output is unknown. */
export async function listTaughtTasks(ctx: TaughtReads, tasks: readonly string[]): Promise<Taught> {
  const { organization, environment } = ctx.scope;
  return examplesOf(
    ctx,
    await ctx.db.query<TaughtRow>(taught("f.task_id = any($3::text[])"), [organization, environment, tasks]),
  );
}

/**
 * Members accountable for what training learns from feedback: for what was said of each task, and for the task itself, which has the input and, where it was
 * accepted, the output. Each with when the latest of it was said.
 */
export async function listTeachers(
  ctx: Pick<CallContext, "scope"> & { readonly db: Pick<Statements, "query"> },
  lesson: Lesson,
): Promise<{ id: string; at: Date }[]> {
  const columns = `latest.author, latest.deciders, latest.created_at as said_at, t.principal, t.key_id, t.deciders as task_deciders`;
  return ctx.db.query(
    `with learnt as (${taught(ofLesson, columns)} limit $6),
     persons as (
       select author as id, said_at from learnt
       union all select principal, said_at from learnt
       union all select one ->> 'id', said_at from learnt, jsonb_array_elements(coalesce(deciders, '[]') || coalesce(task_deciders, '[]')) one
       union all select unnest(k.issuers), said_at from learnt join ${keyRows} k on k.organization = $1 and k.environment = $2 and k.id = learnt.key_id)
     select id, max(said_at) as at from (select id collate "C", said_at from persons) p where id like 'mbr\\_%' group by id order by id`,
    valuesOf(ctx, lesson),
  );
}

/** Inputs, as JSON, of tasks whose feedback before an audit record taught a skill. */
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

/** Erases what people wrote about tasks; their verdicts stay. */
export const eraseFeedback: EraseWork = async (ctx, { tasks }) => {
  const erased = { correction: null, comment: null, trains: false };
  await all(ctx, update(ctx, "task_feedback").set(erased).where("task_id", "in", tasks));
};
