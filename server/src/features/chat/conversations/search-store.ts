import { randomBytes } from "node:crypto";
import { auditLeafRows, auditRecordRows } from "../../../audit-log/shared-rows.ts";
import { all, rowsOf, sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { keptFor } from "../../../kernel/idempotency.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import type { ChatSearchBody, FoundMessage } from "../schemas.ts";
import { filteredConversations } from "./operation-parts.ts";

const parsed = (query: string) => sql`websearch_to_tsquery('simple', ${query})`;

/** Best first; one more than `limit` where there are more. */
export async function searchMessages(
  ctx: WriteContext,
  { query, role, limit = 25, ...filter }: ChatSearchBody,
): Promise<FoundMessage[]> {
  await checkWords(ctx, query);
  const mark = randomBytes(6).toString("hex"); // stands in no text
  const [open, close] = [`\u{2}${mark}`, `\u{3}${mark}`];
  const options = `StartSel=${open}, StopSel=${close}, MaxFragments=2, MinWords=8, MaxWords=30, ShortWord=0, FragmentDelimiter=" … "`;
  const words = sql`to_tsvector('simple', m.body)`;
  let found = filteredConversations(ctx, filter)
    .clearSelect()
    .innerJoin(rowsOf(ctx, "chat_messages", "m"), "m.conversation", "c.id")
    .where(sql<boolean>`${words} @@ ${parsed(query)}`)
    .where("m.status", "<>", "retracted");
  if (role) found = found.where("m.role", "in", role);
  const rows = await all(
    ctx,
    found
      .select(["c.id as conversation_id", "c.agent", "c.end_user as user", "c.channel", "c.title"])
      .select(["m.id as message_id", "m.number", "m.role", "m.author_name", "m.created_at"])
      .select(sql<number>`ts_rank_cd(${words}, ${parsed(query)}, 1)::float8`.as("score"))
      .select(sql<string>`ts_headline('simple', m.body, ${parsed(query)}, ${options})`.as("marked"))
      .orderBy("score", "desc")
      .orderBy("m.id", "desc")
      .limit(limit + 1),
  );
  return rows.map(({ marked, created_at, score, ...row }) => ({
    ...(row as Pick<FoundMessage, "conversation_id" | "role"> & typeof row),
    created_at: created_at.toISOString(),
    score: Math.round(1e4 * score) / 1e4,
    ...unmark(marked, open, close),
  }));
}

/** A search without a required word would read every message. */
async function checkWords(ctx: WriteContext, query: string): Promise<void> {
  const asked = "select querytree(websearch_to_tsquery('simple', $1)) as tree";
  const [found] = await ctx.db.query<{ tree: string }>(asked, [query]);
  if (found && found.tree !== "" && found.tree !== "T") return;
  const detail = "has no word that a message would have to contain; add one";
  throw refuse(invalidBody, `/query: ${detail}`, { errors: [{ pointer: "/query", code: "no_words", detail }] });
}

function unmark(marked: string, open: string, close: string): Pick<FoundMessage, "snippet" | "highlights"> {
  const [before = "", ...marks] = marked.split(open);
  const highlights: FoundMessage["highlights"] = [];
  let snippet = before;
  for (const mark of marks) {
    const [word = "", after = ""] = mark.split(close);
    highlights.push({ start: snippet.length, end: snippet.length + word.length });
    snippet += word + after;
  }
  return { snippet, highlights };
}

export const searchObject = "conversations:search";

/** Deletes search results kept for repetitions: they quote messages, which may be erased by now. */
export async function forgetSearches({ scope, db, now }: WriteContext): Promise<void> {
  const { organization, environment } = scope;
  await db.query(
    `delete from idempotency_keys where organization = $1 and environment = $2 and id in (
       select record_id from ${auditLeafRows} audit_leaves where organization = $1 and environment = $2 and object = $3 and record_id >= $4
       union select id from ${auditRecordRows} audit_records where organization = $1 and environment = $2 and id >= $5 and position('"' || $3 || '"' in body) > 0)`,
    [organization, environment, searchObject, lowestId("aud", now - keptFor), lowestId("aud", now - unsequencedMs)],
  );
}

/** How long after its call a record may stand outside of the index by object (milliseconds). */
const unsequencedMs = 60_000;
