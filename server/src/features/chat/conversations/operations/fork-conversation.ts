import { all, insert, select } from "../../../../db/scoped.ts";
import { storableDeciders, storedDeciders, unite } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { externalKeyInUse } from "../../errors.ts";
import { conversationStarted } from "../../events.ts";
import { exampleConversation, exampleMessage } from "../../example.ts";
import { Conversation, ForkConversationBody, type Part } from "../../schemas.ts";
import { disclosureIn } from "../disclosure.ts";
import { findMessage, lastMessage, type MessageRow, partsOf } from "../message-store.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { findByKey, type ImportedMessage, importMessages } from "../start.ts";
import { type ConversationRow, findConversation, lockConversation } from "../store.ts";
import { shownConversation } from "../view.ts";
import { nobody, writersOf } from "../writers.ts";

export const forkConversation = defineOperation({
  id: "chat.forkConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/fork",
  status: 201,
  summary: "Fork a conversation",
  description:
    "Starts another conversation with the same agent and user that goes on from a message, by default the latest. Messages and files up to it are copied under ids of their own and marked as imported; what was retracted, replaced or not finished is left out. The original stays as it is.",
  params: ConversationParams,
  body: ForkConversationBody,
  output: Conversation,
  location: ({ conversation_id }) => `/v1/chat/conversations/${conversation_id}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { message_id: exampleMessage.message_id },
    output: {
      ...exampleConversation,
      conversation_id: "cnv_01jd8x0000000000000000000f",
      forked_from: { conversation_id: exampleConversation.conversation_id, message_id: exampleMessage.message_id },
    },
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("starts no work; a message does"),
  decides: "message",
  compliance: governs("chat.create", conversationRead),
  audit: aboutConversation,
  emits: [conversationStarted],
  errors: [conflict, externalKeyInUse],
  async handle(ctx, { loaded, body }) {
    const locked = await lockConversation(ctx, loaded.id);
    if (!locked) throw refuse(notFound, "The conversation was just erased.");
    const { message_id: id, external_key: key } = body;
    const message = id === undefined ? await lastMessage(ctx, loaded.id) : await findMessage(ctx, id);
    if (message?.conversation !== loaded.id)
      throw refuse(
        conflict,
        id === undefined ? "The conversation has no message to go on from." : `The conversation has no message ${id}.`,
      );
    if (key !== undefined && (await findByKey(ctx, "api", key)))
      throw refuse(externalKeyInUse, `A conversation with the external key ${JSON.stringify(key)} exists.`);
    return shownConversation(ctx, await forkFrom(ctx, { ...loaded, deciders: locked.deciders }, message, body));
  },
});

/** Approvals and notices stay behind. */
const taken = new Set<Part["type"]>(["text", "citation", "tool_call", "file"]);

async function forkFrom(
  ctx: WriteContext,
  source: ConversationRow,
  message: Pick<MessageRow, "id" | "number">,
  { title, external_key: key }: ForkConversationBody,
): Promise<ConversationRow> {
  const id = ctx.newId("cnv");
  const at = new Date(ctx.now);
  const { agent, end_user, language, context, labels, repin_seconds } = source;
  const row = {
    id,
    agent,
    end_user,
    language,
    context,
    labels,
    repin_seconds,
    title: title ?? source.title,
    external_key: key ?? null,
    principal: ctx.principal.id,
    key_id: ctx.principal.keyId,
    audit_ref: ctx.auditRef,
    deciders: storableDeciders(unite(storedDeciders(source.deciders), writersOf(ctx, id))),
    forked_from: JSON.stringify({ conversation_id: source.id, message_id: message.id }),
    disclosure: source.disclosure ?? disclosureIn(language),
    created_at: at,
    updated_at: at,
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
  const kept = partsOf({ parts }).filter(({ type }) => taken.has(type));
  const own = kept.map((part) =>
    part.type === "file" ? { ...part, file_id: files.get(part.file_id) ?? part.file_id } : part,
  );
  return { role, author, author_name, generated, created_at, parts: own };
}

/** Returns the new ids by the original ones. */
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
