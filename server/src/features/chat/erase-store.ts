import { redact } from "@aos/data-classes";
import { all, remove, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { lowestId } from "../../kernel/ids.ts";
import { eraseTaskContents, listToolTexts } from "../tasks/public.ts";
import { forgetSearches } from "./search-store.ts";

/** Tasks of the conversation's turns. */
export async function listTurnTasks(ctx: WriteContext, conversation: string): Promise<string[]> {
  const rows = await all(ctx, select(ctx, "tasks", "t").select("t.id").where("t.conversation", "=", conversation));
  return rows.map(({ id }) => id);
}

export const listMessageIds = (ctx: WriteContext, conversation: string): Promise<{ id: string; audit_ref: string }[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m").select(["m.id", "m.audit_ref"]).where("m.conversation", "=", conversation),
  );

/** Conversations that were forked from one, with copies of its messages. */
export async function listForks(ctx: WriteContext, conversation: string): Promise<string[]> {
  const forks = select(ctx, "chat_conversations", "c").select("c.id").orderBy("c.id").limit(100);
  const rows = await all(ctx, forks.where(sql<boolean>`c.forked_from ->> 'conversation_id' = ${conversation}`));
  return rows.map(({ id }) => id);
}

/** Erases what tasks that have ended held, wherever it was copied to. */
export async function eraseTasks(ctx: WriteContext, tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0) return;
  await eraseQuestions(ctx, tasks);
  await eraseTaskContents(ctx, tasks);
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `update task_review_verdicts v set comment = null from task_reviews r
     where v.organization = $1 and v.environment = $2 and r.organization = $1 and r.environment = $2 and r.id = v.review_id and r.task_id = any($3::text[])`,
    [organization, environment, tasks],
  );
  await ctx.db.query(
    `update dataset_items set input = '{}', expected = '{}' where organization = $1 and source_environment = $2 and source_task = any($3::text[])`,
    [organization, environment, tasks],
  );
}

/** Searches that the tasks made are kept with the bases, for the list of gaps: those with a text that a tool was called with. */
async function eraseQuestions(ctx: WriteContext, tasks: readonly string[]): Promise<void> {
  const texts = (await listToolTexts(ctx, tasks)).map((text) => redact(text).value);
  if (texts.length === 0) return;
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `delete from knowledge_questions q using tasks t
     where q.organization = $1 and q.environment = $2 and t.organization = $1 and t.environment = $2 and t.id = any($3::text[])
       and q.agent = t.agent and q.at >= t.created_at and q.query = any($4::text[])`,
    [organization, environment, tasks, texts],
  );
}

export interface Recorded {
  /** Such as `conversation:cnv_…`. */
  readonly objects: readonly string[];
  readonly tasks: readonly string[];
  /** Records by id. */
  readonly records?: readonly string[];
}

/** How long after its call a record may stand outside of the index by object, in milliseconds. */
const unsequencedMs = 60_000;

/**
 * Erases what is kept beside the records of calls: what policies saw of them, and their answers for repetitions. The records themselves hold digests alone. Those of the
 * last minute may not be sequenced yet, and are looked through.
 */
export async function eraseBesideRecords(ctx: WriteContext, { objects, tasks, records = [] }: Recorded): Promise<void> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, objects, tasks, records, lowestId("aud", ctx.now - unsequencedMs)];
  const rows = await ctx.db.query<{ id: string }>(
    `select record_id as id from audit_leaves where organization = $1 and environment = $2 and object = any($3::text[])
     union select record_id from audit_leaves where organization = $1 and environment = $2 and task_id = any($4::text[])
     union select unnest($5::text[])
     union select id from audit_records r where r.organization = $1 and r.environment = $2 and r.id >= $6
       and exists (select from unnest($3::text[] || $4::text[]) as named(id) where position('"' || named.id || '"' in r.body) > 0)`,
    values,
  );
  await forgetSearches(ctx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await all(ctx, remove(ctx, "idempotency_keys").where("id", "in", ids));
  await all(
    ctx,
    update(ctx, "audit_records").set({ context: null }).where("id", "in", ids).where("context", "is not", null),
  );
}

/** What was remembered from a conversation or within it. */
export function listMemoriesOf(ctx: WriteContext, conversation: string): Promise<{ id: string; audit_ref: string }[]> {
  const { organization, environment } = ctx.scope;
  const messages = sql<string>`(select m.id from chat_messages m
    where m.organization = ${organization} and m.environment = ${environment} and m.conversation = ${conversation})`;
  return all(
    ctx,
    select(ctx, "chat_memories", "r")
      .select(["r.id", "r.audit_ref"])
      .where((is) => is.or([is("r.conversation", "=", conversation), is("r.source_message", "in", messages)])),
  );
}

/** Deletes a conversation, with all that belongs to it, and memories. */
export async function deleteConversation(ctx: WriteContext, id: string, memories: readonly string[]): Promise<void> {
  if (memories.length > 0) await all(ctx, remove(ctx, "chat_memories").where("id", "in", memories));
  await all(ctx, remove(ctx, "chat_conversations").where("id", "=", id));
}
