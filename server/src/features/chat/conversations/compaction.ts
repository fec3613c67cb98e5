import { all, first, select, sql } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { appendEvents } from "./event-store.ts";
import { addMessage, type MessageRow, messageView } from "./message-store.ts";
import { providerOf } from "./model-request.ts";
import { isShown, tokensOf, transcriptTokens } from "./transcript.ts";
import { nobody } from "./writers.ts";

export const compactJob = "compact_conversation";

/** `summary` null compacts; otherwise the agent's model rewrites that summary. */
const compactLater = ({ organization, environment }: Scope, conversation: string, summary: string | null): JobSpec => ({
  task: compactJob,
  payload: { organization, environment, conversation, summary },
  key: `compact ${conversation} ${summary ?? ""}`,
});

const mostMessages = 1_000;

/** The latest summary and what came after it, oldest first. */
async function listUncompacted(ctx: Pick<WriteContext, "scope" | "db">, conversation: string): Promise<MessageRow[]> {
  const messages = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  const summaries = messages.where("m.covers_to", "is not", null).where("m.status", "=", "complete");
  const earlier = await first(ctx, summaries.orderBy("m.number", "desc").limit(1));
  const rest = messages.where("m.number", ">", earlier?.covers_to ?? 0).where("m.id", "<>", earlier?.id ?? "");
  const rows = await all(ctx, rest.orderBy("m.number").limit(mostMessages));
  return [...(earlier ? [earlier] : []), ...rows] as MessageRow[];
}

/** The length of the texts is a good enough measure. */
export async function compactWhenLong(ctx: WriteContext, conversation: string): Promise<void> {
  const messages = select(ctx, "chat_messages", "m").where("m.conversation", "=", conversation);
  const summaries = messages.where("m.covers_to", "is not", null).where("m.status", "=", "complete");
  const summary = await first(ctx, summaries.select("m.covers_to").orderBy("m.number", "desc").limit(1));
  const open = messages.where("m.number", ">", summary?.covers_to ?? 0).where("m.covers_to", "is", null);
  const length = await first(ctx, open.select(sql<number>`coalesce(sum(octet_length(m.body)), 0)::int`.as("bytes")));
  if ((length?.bytes ?? 0) / 4 > compactAbove) ctx.enqueue(compactLater(ctx.scope, conversation, null));
}

/** The caller has locked the conversation. Undefined: too little to summarise. */
export async function compact(
  ctx: WriteContext,
  { id, agent }: { readonly id: string; readonly agent: string },
  keep?: number,
): Promise<MessageRow | undefined> {
  const found = compactable(await listUncompacted(ctx, id), keep);
  if (!found) return undefined;
  const row = await addMessage(ctx, id, {
    id: ctx.newId("msg"),
    role: "system",
    author: null,
    author_name: "Summary",
    status: "complete",
    parts: [{ type: "text", text: quotedSummary(found) }],
    covers_from: fromOf(found),
    covers_to: found.to,
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

/** Undefined: it was retracted meanwhile. */
export async function readCovered(
  ctx: Pick<WriteContext, "scope" | "db">,
  conversation: string,
  summary: string,
): Promise<Pick<Compacted, "earlier" | "covered"> | undefined> {
  const messages = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  const row = (await first(ctx, messages.where("m.id", "=", summary))) as MessageRow | undefined;
  if (row?.status !== "complete" || row.covers_to === null) return undefined;
  const complete = messages.where("m.status", "=", "complete").where("m.number", "<", row.number);
  const before = complete.where("m.covers_to", "is not", null).orderBy("m.number", "desc").limit(1);
  const earlier = (await first(ctx, before)) as MessageRow | undefined;
  const said = messages.where("m.number", ">", earlier?.covers_to ?? 0).where("m.number", "<=", row.covers_to);
  const covered = (await all(ctx, said.orderBy("m.number").limit(mostMessages))) as MessageRow[];
  return { earlier, covered: covered.filter((one) => isShown(one) && one.covers_to === null) };
}

// Which messages a summary covers, and what it says where no model writes it.

/** Tokens without a summary above which a conversation is compacted. */
const compactAbove = transcriptTokens * 0.75;
const keptTokens = transcriptTokens / 4;
const leastKept = 4;
const leastCovered = 2;

export interface Compacted {
  readonly earlier: MessageRow | undefined;
  readonly covered: readonly MessageRow[];
  readonly to: number;
}

/** Undefined: too few. Ends before the first unfinished message. */
export function compactable(messages: readonly MessageRow[], keep?: number): Compacted | undefined {
  const shown = messages.filter(isShown);
  const earlier = shown.findLast(({ covers_to }) => covers_to !== null);
  const unfinished = messages.find(
    ({ status }) => status === "queued" || status === "streaming" || status === "waiting",
  );
  const open = shown.filter(({ number, covers_to }) => covers_to === null && number > (earlier?.covers_to ?? 0));
  const end = keep === undefined ? open.length - keptAtEnd(open) : open.length - keep;
  const covered = open.slice(0, Math.max(0, end)).filter(({ number }) => number < (unfinished?.number ?? Infinity));
  const last = covered.at(-1);
  return last && covered.length >= leastCovered ? { earlier, covered, to: last.number } : undefined;
}

function keptAtEnd(open: readonly MessageRow[]): number {
  let left = keptTokens;
  const kept = open.toReversed().findIndex(({ body }, at) => {
    left -= tokensOf(body);
    return at >= leastKept && left < 0;
  });
  return kept === -1 ? open.length : kept;
}

const longestSummary = 6_000;
const longestQuote = 240;

/** Quotes sentences: the first and the latest, as many as fit. */
export function quotedSummary({ earlier, covered }: Pick<Compacted, "earlier" | "covered">): string {
  const before = earlier ? [shortened(earlier.body, longestSummary / 2)] : [];
  const lines = covered.flatMap((message) => (message.body.trim() === "" ? [] : [lineOf(message)]));
  let left = longestSummary - (before[0]?.length ?? 0);
  const fits = (line: string): boolean => {
    left -= line.length + 1;
    return left >= 0;
  };
  const first = lines.slice(0, 3).filter(fits);
  const latest = lines.slice(3).toReversed();
  const cut = latest.findIndex((line) => !fits(line));
  const kept = (cut === -1 ? latest : latest.slice(0, cut)).toReversed();
  return [...before, ...first, ...(cut === -1 ? [] : ["…"]), ...kept].join("\n");
}

const lineOf = ({ role, author_name, body }: MessageRow): string =>
  `${role === "user" ? "User" : (author_name ?? "Agent")}: ${shortened(body.replaceAll(/\s+/g, " ").trim(), longestQuote)}`;

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`.toWellFormed();

export function textToSummarise({ earlier, covered }: Pick<Compacted, "earlier" | "covered">, most: number): string {
  const lines = covered.map(
    ({ role, author_name, body }) => `${role === "user" ? "User" : (author_name ?? "Agent")}: ${body}`,
  );
  const text = [...(earlier ? [`Summary of what was before:\n${earlier.body}`] : []), ...lines].join("\n");
  return text.length <= most ? text : `${text.slice(0, most / 2)}\n[…]\n${text.slice(-most / 2)}`.toWellFormed();
}
