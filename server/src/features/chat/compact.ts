import { all, first, select, sql } from "../../db/scoped.ts";
import type { JobSpec } from "../../kernel/append.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Scope } from "../../kernel/principal.ts";
import { providerOf } from "./asked-model.ts";
import { type Compacted, compactAbove, compactable, quotedSummary } from "./compact-model.ts";
import { nobody } from "./conversation-writers.ts";
import { appendEvents } from "./event-store.ts";
import { addMessage, type MessageRow, messageView } from "./message-store.ts";
import { isShown } from "./transcript.ts";

export const compactJob = "compact_conversation";

/** Compacts a conversation (`summary` null), or has the agent's model write a summary that quotes until then. */
export const compactLater = (
  { organization, environment }: Scope,
  conversation: string,
  summary: string | null,
): JobSpec => ({
  ...{ task: compactJob, payload: { organization, environment, conversation, summary } },
  key: `compact ${conversation} ${summary ?? ""}`,
});

/** Messages that a look goes back. */
const mostMessages = 1_000;

/** The latest summary that stands, and what came after it, oldest first. */
export async function listUncompacted(
  ctx: Pick<WriteContext, "scope" | "db">,
  conversation: string,
): Promise<MessageRow[]> {
  const messages = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  const summaries = messages.where("m.covers_to", "is not", null).where("m.status", "=", "complete");
  const earlier = await first(ctx, summaries.orderBy("m.number", "desc").limit(1));
  const rest = messages.where("m.number", ">", earlier?.covers_to ?? 0).where("m.id", "<>", earlier?.id ?? "");
  const rows = await all(ctx, rest.orderBy("m.number").limit(mostMessages));
  return [...(earlier ? [earlier] : []), ...rows] as MessageRow[];
}

/** Has a conversation compacted whose messages have become too many for what a model is shown. The text's length suffices to tell. */
export async function compactWhenLong(ctx: WriteContext, conversation: string): Promise<void> {
  const messages = select(ctx, "chat_messages", "m").where("m.conversation", "=", conversation);
  const standing = messages.where("m.covers_to", "is not", null).where("m.status", "=", "complete");
  const summary = await first(ctx, standing.select("m.covers_to").orderBy("m.number", "desc").limit(1));
  const open = messages.where("m.number", ">", summary?.covers_to ?? 0).where("m.covers_to", "is", null);
  const length = await first(ctx, open.select(sql<number>`coalesce(sum(octet_length(m.body)), 0)::int`.as("bytes")));
  if ((length?.bytes ?? 0) / 4 > compactAbove) ctx.enqueue(compactLater(ctx.scope, conversation, null));
}

/** Adds a summary to a conversation whose row the caller has locked; undefined: there is too little to summarise. The messages stay. */
export async function compact(
  ctx: WriteContext,
  { id, agent }: { readonly id: string; readonly agent: string },
  keep?: number,
): Promise<MessageRow | undefined> {
  const found = compactable(await listUncompacted(ctx, id), keep);
  if (!found) return undefined;
  const row = await addMessage(ctx, id, {
    ...{ id: ctx.newId("msg"), role: "system", author: null, author_name: "Summary", status: "complete" },
    ...{ parts: [{ type: "text", text: quotedSummary(found) }], covers_from: fromOf(found), covers_to: found.to },
    writers: nobody,
  });
  const data = { message: messageView(row) };
  await appendEvents(ctx, id, [
    { type: "chat.message.created", data },
    { type: "chat.message.completed", data },
  ]);
  if (providerOf(ctx, agent)) ctx.enqueue(compactLater(ctx.scope, id, row.id));
  return row;
}

const fromOf = ({ earlier, covered }: Compacted): number => earlier?.covers_from ?? covered[0]?.number ?? 1;

/** What a summary stands for, as it is stored now. Undefined: it was taken back meanwhile. */
export async function readCovered(
  ctx: Pick<WriteContext, "scope" | "db">,
  conversation: string,
  summary: string,
): Promise<Pick<Compacted, "earlier" | "covered"> | undefined> {
  const messages = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  const row = (await first(ctx, messages.where("m.id", "=", summary))) as MessageRow | undefined;
  if (row?.status !== "complete" || row.covers_to === null) return undefined;
  const standing = messages.where("m.status", "=", "complete").where("m.number", "<", row.number);
  const before = standing.where("m.covers_to", "is not", null).orderBy("m.number", "desc").limit(1);
  const earlier = (await first(ctx, before)) as MessageRow | undefined;
  const said = messages.where("m.number", ">", earlier?.covers_to ?? 0).where("m.number", "<=", row.covers_to);
  const covered = (await all(ctx, said.orderBy("m.number").limit(mostMessages))) as MessageRow[];
  return { earlier, covered: covered.filter((one) => isShown(one) && one.covers_to === null) };
}
