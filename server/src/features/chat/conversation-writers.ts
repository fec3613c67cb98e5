import { all, first, select, update } from "../../db/scoped.ts";
import { type Decider, decidersOf, storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { addDeciders, isFinal, lockTask } from "../tasks/public.ts";
import { listOpenTurns } from "./turn-store.ts";

/** Everybody accountable for a text that an agent reads in a conversation. */
export type Writers = readonly Decider[];

/** The agent or the service itself wrote it. */
export const nobody: Writers = [];

/** The caller as a writer. Of an end user's token only those are known who had the key that issued it. */
export const writersOf = (ctx: Pick<WriteContext, "principal" | "scope" | "now">, conversation: string): Writers =>
  decidersOf(ctx, ctx.principal.chat ? "issuer" : "wrote", `conversation:${conversation}`);

/** Adds writers to a conversation that is locked. They ask for whatever its agent does from the next turn on. */
export async function addWriters(ctx: WriteContext, conversation: string, writers: Writers): Promise<void> {
  if (writers.length === 0) return;
  const row = select(ctx, "chat_conversations", "c").select("c.deciders").where("c.id", "=", conversation);
  await uniteWriters(ctx, conversation, (await first(ctx, row))?.deciders, writers);
}

/** Adds writers of what also turns that have begun may still read, such as the conversation's context. */
export async function addWritersAtOnce(ctx: WriteContext, conversation: string, writers: Writers): Promise<void> {
  await addWriters(ctx, conversation, writers);
  for (const { task } of await listOpenTurns(ctx, conversation)) {
    const row = task === null ? undefined : await lockTask(ctx, task);
    if (row && !isFinal(row.status)) await addDeciders(ctx, row, writers);
  }
}

/** `before`: the column as it is. */
export async function uniteWriters(
  ctx: WriteContext,
  conversation: string,
  before: unknown,
  writers: Writers,
): Promise<void> {
  const known = storedDeciders(before);
  const united = unite(known, writers);
  if (united.length === known.length) return;
  const changed = update(ctx, "chat_conversations").set({ deciders: storableDeciders(united) });
  await all(ctx, changed.where("id", "=", conversation));
}
