import { createHash } from "node:crypto";
import { all, first, insert, type Row, select, update } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

type Looking = { readonly scope: Scope; readonly db: Statements };
export type ThreadRow = Row<"chat_threads">;

/** A name that another system gave, short enough for an index. */
export const shortened = (name: string): string =>
  name.length <= 180 ? name : `sha256.${createHash("sha256").update(name).digest("hex")}`;

export const findThread = (ctx: Looking, conversation: string): Promise<ThreadRow | undefined> =>
  first(ctx, select(ctx, "chat_threads", "t").selectAll("t").where("t.conversation", "=", conversation));

export async function isThread(ctx: Looking, channel: string, thread: string): Promise<boolean> {
  const query = select(ctx, "chat_threads", "t").select("t.conversation").where("t.channel", "=", channel);
  return (await first(ctx, query.where("t.key", "=", shortened(thread)))) !== undefined;
}

/** Conversations to which a message may belong: those whose messages it answers, and those of its thread; the latest first. */
export async function findThreads(
  ctx: Looking,
  channel: string,
  { thread, answers }: { readonly thread: string; readonly answers: readonly string[] },
): Promise<string[]> {
  const byKey = select(ctx, "chat_threads", "t").select("t.conversation").where("t.channel", "=", channel);
  const byMessage = select(ctx, "chat_channel_messages", "m").select("m.conversation").where("m.channel", "=", channel);
  const names = answers.map(shortened);
  const found = [
    ...(names.length > 0 ? await all(ctx, byMessage.where("m.external_id", "in", names).distinct()) : []),
    ...(await all(ctx, byKey.where("t.key", "=", shortened(thread)))),
  ];
  return [...new Set(found.map(({ conversation }) => conversation))].toSorted().toReversed().slice(0, 20);
}

export async function addThread(
  ctx: Looking,
  { thread, address, ...row }: { conversation: string; channel: string; thread: string; address: object },
): Promise<void> {
  const made = { ...row, key: shortened(thread), address: JSON.stringify(address) };
  await all(ctx, insert(ctx, "chat_threads", made));
}

export async function setAddress(ctx: Looking, conversation: string, address: object): Promise<void> {
  const changes = { address: JSON.stringify(address) };
  await all(ctx, update(ctx, "chat_threads").set(changes).where("conversation", "=", conversation));
}

/** The message of a channel that was taken under a name. */
export const findTaken = (ctx: Looking, channel: string, externalId: string) =>
  first(
    ctx,
    select(ctx, "chat_channel_messages", "m")
      .select(["m.conversation", "m.message"])
      .where("m.channel", "=", channel)
      .where("m.external_id", "=", shortened(externalId)),
  );

/** Notes the name that a message has in its channel. */
export async function noteName(
  ctx: Looking,
  { externalId, ...row }: { channel: string; externalId: string; conversation: string; message: string },
): Promise<void> {
  const query = insert(ctx, "chat_channel_messages", { ...row, external_id: shortened(externalId) });
  await all(
    ctx,
    query.onConflict((on) => on.doNothing()),
  );
}
