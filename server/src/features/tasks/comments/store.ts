import { all, first, insert, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, decidersOf, storableDeciders, storedDeciders } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { EraseWork } from "../../../resources/tables.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import type { CommentBody, TaskComment } from "../schemas.ts";

/** Comments of a task at most. */
export const mostComments = 100;

interface CommentRow {
  readonly id: string;
  readonly task_id: string;
  readonly text: string;
  readonly for_agent: boolean;
  readonly author: string;
  readonly name: string | null;
  readonly read_at: Date | null;
  readonly audit_ref: string;
  readonly created_at: Date;
}

/** When the agent first read a comment: a turn's step names those that were new to it. */
const firstRead = (task: string) =>
  sql<Date | null>`(select min(s.started_at) from steps s
     where s.organization = c.organization and s.environment = c.environment and s.task_id = ${task} and s.kind = 'model'
       and c.for_agent and (s.input::jsonb -> 'comments') ? c.id)`;

/** A page of a task's comments, the oldest first. */
export function listComments(ctx: ReadContext, task: string, { after, take }: PageRequest): Promise<CommentRow[]> {
  const query = select(ctx, "task_comments", "c")
    .leftJoin(rowsOf(ctx, memberRows, "m"), "m.id", "c.author")
    .select(["c.id", "c.task_id", "c.text", "c.for_agent", "c.author", "c.audit_ref", "c.created_at", "m.name"])
    .select(firstRead(task).as("read_at"))
    .where("c.task_id", "=", task)
    .$if(after !== undefined, (q) => q.where("c.id", ">", after?.id ?? ""))
    .orderBy("c.id")
    .limit(take);
  return all(ctx, query);
}

export async function countComments(ctx: WriteContext, task: string): Promise<number> {
  const counted = select(ctx, "task_comments", "c").select(sql<number>`count(*)::int`.as("count"));
  return (await first(ctx, counted.where("c.task_id", "=", task)))?.count ?? 0;
}

/** The name of a member; null: there is none of that id. */
export async function nameOf(ctx: WriteContext, member: string): Promise<string | null> {
  return (await first(ctx, select(ctx, memberRows, "m").select("m.name").where("m.id", "=", member)))?.name ?? null;
}

/** Stores a comment of the caller. Returns it, and who decides by it what the agent reads. */
export async function insertComment(
  ctx: WriteContext,
  task: string,
  { text, for_agent = true }: CommentBody,
): Promise<{ readonly row: Omit<CommentRow, "name">; readonly deciders: readonly Decider[] }> {
  const id = ctx.newId("cmt");
  const deciders = for_agent ? decidersOf(ctx, "commented", `comment:${id}`) : [];
  const { auditRef: audit_ref, principal } = ctx;
  const row = { id, task_id: task, text, for_agent, author: principal.id, audit_ref, created_at: new Date(ctx.now) };
  await all(ctx, insert(ctx, "task_comments", { ...row, deciders: storableDeciders(deciders) }));
  return { row: { ...row, read_at: null }, deciders };
}

export const commentView = ({ id, name, author, created_at, read_at, text, ...row }: CommentRow): TaskComment => ({
  ...row,
  comment_id: id,
  text: text === "" ? null : text,
  author: { id: author, name: name ?? author },
  read_at: read_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
});

/** What the agent reads of a comment. */
export interface CommentForAgent {
  readonly id: string;
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The comments that a task's agent reads, the oldest first, and everybody who decides by them. */
export async function commentsForAgent(
  ctx: QueryContext,
  task: string,
): Promise<{ readonly comments: readonly CommentForAgent[]; readonly deciders: readonly Decider[] }> {
  const rows = await ctx.db.query<{ id: string; text: string; created_at: Date; deciders: unknown }>(
    `select id, text, created_at, deciders from task_comments
     where organization = $1 and environment = $2 and task_id = $3 and for_agent and text <> '' order by id`,
    [ctx.scope.organization, ctx.scope.environment, task],
  );
  return {
    comments: rows.map(({ id, text, created_at }) => ({ id, text, at: created_at.toISOString() })),
    deciders: rows.flatMap(({ deciders }) => storedDeciders(deciders)),
  };
}

/** Erases what people wrote about tasks; that they did stays. */
export const eraseComments: EraseWork = async (ctx, { tasks }) => {
  await all(ctx, update(ctx, "task_comments").set({ text: "" }).where("task_id", "in", tasks));
};
