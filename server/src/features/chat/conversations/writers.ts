import { all, first, select, update } from "../../../db/scoped.ts";
import { type Decider, decidersOf, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { addDeciders, isFinal, lockTask } from "../../tasks/public.ts";
import { listOpenTurns } from "../turns/store.ts";

export type Writers = readonly Decider[];

export const nobody: Writers = [];

/** For an end user's token: whoever had the key that issued it. */
export const writersOf = (ctx: Pick<WriteContext, "principal" | "scope" | "now">, conversation: string): Writers =>
  decidersOf(ctx, ctx.principal.chat ? "issuer" : "wrote", `conversation:${conversation}`);

/** The conversation is locked. They count as requesters of what its agent does from the next turn on. */
export async function addWriters(ctx: WriteContext, conversation: string, writers: Writers): Promise<void> {
  if (writers.length === 0) return;
  const row = select(ctx, "chat_conversations", "c").select("c.deciders").where("c.id", "=", conversation);
  await uniteWriters(ctx, conversation, (await first(ctx, row))?.deciders, writers);
}

/** Also for turns that have begun, which may still read it. */
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
