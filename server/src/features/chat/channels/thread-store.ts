import { createHash } from "node:crypto";
import { all, first, insert, type Row, select, update } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";

export type ThreadRow = Row<"chat_threads">;

/** A name that another system gave, short enough for an index. */
export const shortened = (name: string): string =>
  name.length <= 180 ? name : `sha256.${createHash("sha256").update(name).digest("hex")}`;

export const findThread = (ctx: QueryContext, conversation: string): Promise<ThreadRow | undefined> =>
  first(ctx, select(ctx, "chat_threads", "t").selectAll("t").where("t.conversation", "=", conversation));

export async function isThread(ctx: QueryContext, channel: string, thread: string): Promise<boolean> {
  const query = select(ctx, "chat_threads", "t").select("t.conversation").where("t.channel", "=", channel);
  return (await first(ctx, query.where("t.key", "=", shortened(thread)))) !== undefined;
}

/** Latest first. */
export async function findThreads(
  ctx: QueryContext,
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
  ctx: QueryContext,
  { thread, address, ...row }: { conversation: string; channel: string; thread: string; address: object },
): Promise<void> {
  const made = { ...row, key: shortened(thread), address: JSON.stringify(address) };
  await all(ctx, insert(ctx, "chat_threads", made));
}

export async function setAddress(ctx: QueryContext, conversation: string, address: object): Promise<void> {
  const changes = { address: JSON.stringify(address) };
  await all(ctx, update(ctx, "chat_threads").set(changes).where("conversation", "=", conversation));
}

export const findTaken = (ctx: QueryContext, channel: string, externalId: string) =>
  first(
    ctx,
    select(ctx, "chat_channel_messages", "m")
      .select(["m.conversation", "m.message"])
      .where("m.channel", "=", channel)
      .where("m.external_id", "=", shortened(externalId)),
  );

export async function noteName(
  ctx: QueryContext,
  { externalId, ...row }: { channel: string; externalId: string; conversation: string; message: string },
): Promise<void> {
  const query = insert(ctx, "chat_channel_messages", { ...row, external_id: shortened(externalId) });
  await all(
    ctx,
    query.onConflict((on) => on.doNothing()),
  );
}
