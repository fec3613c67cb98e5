import { all, insert, select } from "../../db/scoped.ts";
import { storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type ImportedMessage, importMessages } from "./conversation-history.ts";
import { type ConversationRow, findConversation } from "./conversation-store.ts";
import { nobody, writersOf } from "./conversation-writers.ts";
import { disclosureIn } from "./disclosure.ts";
import { conversationStarted } from "./events.ts";
import type { MessageRow } from "./message-store.ts";
import type { ForkConversationBody, Part } from "./schemas.ts";

/** What a fork takes along: what was said and done, not what people were asked for there. */
const taken = new Set<Part["type"]>(["text", "citation", "tool_call", "file"]);

/** Starts a conversation with copies of another one's messages up to a number. */
export async function forkFrom(
  ctx: WriteContext,
  source: ConversationRow,
  message: Pick<MessageRow, "id" | "number">,
  { title, external_key: key }: ForkConversationBody,
): Promise<ConversationRow> {
  const id = ctx.newId("cnv");
  const at = new Date(ctx.now);
  const { agent, end_user, language, context, labels, repin_seconds } = source;
  const row = {
    ...{ id, agent, end_user, language, context, labels, repin_seconds },
    ...{ title: title ?? source.title, external_key: key ?? null },
    ...{ principal: ctx.principal.id, key_id: ctx.principal.keyId, audit_ref: ctx.auditRef },
    deciders: storableDeciders(unite(storedDeciders(source.deciders), writersOf(ctx, id))),
    forked_from: JSON.stringify({ conversation_id: source.id, message_id: message.id }),
    ...{ disclosure: source.disclosure ?? disclosureIn(language), created_at: at, updated_at: at },
  };
  await all(ctx, insert(ctx, "chat_conversations", row));
  const files = await copyFiles(ctx, source.id, id);
  const rows = await copied(ctx, source.id, message.number);
  await importMessages(
    ctx,
    id,
    rows.map((one) => copyOf(one, files)),
    nobody, // the original's writers are the fork's already
  );
  ctx.emit(conversationStarted, { conversation_id: id, agent, channel: "api" });
  return (await findConversation(ctx, id)) as ConversationRow;
}

const copied = (ctx: WriteContext, conversation: string, until: number): Promise<MessageRow[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m")
      .selectAll("m")
      .where("m.conversation", "=", conversation)
      .where("m.number", "<=", until)
      .where("m.status", "in", ["complete", "stopped", "failed"])
      .where("m.role", "<>", "system")
      .where("m.replaced_by", "is", null)
      .orderBy("m.number"),
  ) as Promise<MessageRow[]>;

function copyOf(
  { role, author, author_name, generated, created_at, parts }: MessageRow,
  files: ReadonlyMap<string, string>,
): ImportedMessage {
  const kept = (JSON.parse(parts) as Part[]).filter(({ type }) => taken.has(type));
  const own = kept.map((part) =>
    part.type === "file" ? { ...part, file_id: files.get(part.file_id) ?? part.file_id } : part,
  );
  return { role, author, author_name, generated, created_at, parts: own };
}

/** Copies a conversation's files; returns the ids of the copies by those of the originals. */
async function copyFiles(ctx: WriteContext, source: string, target: string): Promise<ReadonlyMap<string, string>> {
  const files = await all(ctx, select(ctx, "chat_files", "f").select("f.id").where("f.conversation", "=", source));
  if (files.length === 0) return new Map();
  const ids = new Map(files.map(({ id }) => [id, ctx.newId("fil")]));
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `insert into chat_files (organization, environment, conversation, id, name, media_type, size, sha256, content, text, author, audit_ref, created_at)
     select $1, $2, $3, n.target, name, media_type, size, sha256, content, text, author, audit_ref, created_at
     from chat_files f join unnest($4::text[], $5::text[]) as n(source, target) on n.source = f.id
     where f.organization = $1 and f.environment = $2`,
    [organization, environment, target, [...ids.keys()], [...ids.values()]],
  );
  return ids;
}
