import { all, first, insert, select, sql, update } from "../../../db/scoped.ts";
import { storableDeciders } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { findKnownAgent, type KnownAgent, type LiveVersion } from "../../agents/public.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { externalKeyInUse } from "../errors.ts";
import { conversationStarted } from "../events.ts";
import type { Part, StartConversationBody } from "../schemas.ts";
import { disclosureIn } from "./disclosure.ts";
import { appendEvents } from "./event-store.ts";
import { type MessageRow, messageView, textOf } from "./message-store.ts";
import { titleFrom } from "./rules.ts";
import { type ConversationRow, findConversation } from "./store.ts";
import { uniteWriters, type Writers, writersOf } from "./writers.ts";

export interface Origin {
  /** `api`, or the name of a channel. */
  readonly channel: string;
  /** Default: the caller. */
  readonly by?: { readonly owner: string; readonly key: string | null; readonly writers: Writers };
}

export function deployedAgent(ctx: CallContext, name: string): KnownAgent & { readonly live: LiveVersion } {
  const agent = findKnownAgent(ctx, name);
  if (agent?.live && !agent.archived) return { ...agent, live: agent.live };
  throw refuse(agentNotDeployed, `${name} is not deployed in ${ctx.scope.environment}.`);
}

export function startFaults(ctx: CallContext, { agent: name, context }: StartConversationBody): Fault[] {
  const agent = findKnownAgent(ctx, name);
  const unknown = { pointer: "/agent", code: "unknown_agent", detail: `names no agent; there is no ${name}` };
  return [...(agent && !agent.archived ? [] : [unknown]), ...contextFaults(context)];
}

const largestContext = 16 * 1024;

export function contextFaults(context: StartConversationBody["context"]): Fault[] {
  const size = context === undefined ? 0 : Buffer.byteLength(JSON.stringify(context));
  const detail = `has ${size} bytes as JSON; at most ${largestContext} are read by the agent`;
  return size <= largestContext ? [] : [{ pointer: "/context", code: "too_large", detail }];
}

/** Or returns the conversation with that external key in the channel. */
export async function startConversation(
  ctx: WriteContext,
  body: StartConversationBody,
  origin: Origin,
): Promise<ConversationRow> {
  const id = ctx.newId("cnv");
  const row = await first(
    ctx,
    insert(ctx, "chat_conversations", newRow(ctx, id, body, origin))
      .onConflict((on) => on.doNothing())
      .returning("id"),
  );
  if (!row) return sameConversation(ctx, body, origin.channel);
  await importMessages(
    ctx,
    id,
    (body.history ?? []).map(({ role, text }) => ({
      ...(role === "user"
        ? { role: "user" as const, author: body.user ?? null, author_name: body.user ?? null }
        : { role: "agent" as const, author: null, author_name: "Assistant", generated: true }),
      parts: [{ type: "text" as const, text }],
    })),
    writersOf(ctx, id),
  );
  ctx.emit(conversationStarted, { conversation_id: id, agent: body.agent, channel: origin.channel });
  return (await findConversation(ctx, id)) as ConversationRow;
}

function newRow(ctx: WriteContext, id: string, body: StartConversationBody, origin: Origin) {
  const at = new Date(ctx.now);
  const said = body.history?.find(({ role }) => role === "user");
  const { channel, by = { owner: ctx.principal.id, key: ctx.principal.keyId, writers: writersOf(ctx, id) } } = origin;
  return {
    id,
    agent: body.agent,
    channel,
    principal: by.owner,
    key_id: by.key,
    audit_ref: ctx.auditRef,
    deciders: body.context === undefined ? null : storableDeciders(by.writers),
    repin_seconds: body.repin_after_seconds ?? 86_400,
    end_user: body.user ?? null,
    external_key: body.external_key ?? null,
    labels: body.labels ?? [],
    language: body.language ?? null,
    title: body.title ?? (said ? titleFrom(said.text) : null),
    context: JSON.stringify(body.context ?? {}),
    disclosure: body.disclosure === undefined ? disclosureIn(body.language) : body.disclosure,
    created_at: at,
    updated_at: at,
  };
}

export async function findByKey(ctx: WriteContext, channel: string, key: string): Promise<string | undefined> {
  const query = select(ctx, "chat_conversations", "c").select("c.id").where("c.channel", "=", channel);
  return (await first(ctx, query.where("c.external_key", "=", key)))?.id;
}

async function sameConversation(
  ctx: WriteContext,
  { external_key: key = "", agent, user }: StartConversationBody,
  channel: string,
): Promise<ConversationRow> {
  const id = await findByKey(ctx, channel, key);
  const row = id === undefined ? undefined : await findConversation(ctx, id);
  if (row && row.agent === agent && (user === undefined || row.end_user === user)) return row;
  throw refuse(
    externalKeyInUse,
    `A conversation with the external key ${JSON.stringify(key)} has another agent or user.`,
  );
}

export interface ImportedMessage
  extends Pick<MessageRow, "role" | "author" | "author_name">,
    Partial<Pick<MessageRow, "generated" | "created_at">> {
  readonly parts: readonly Part[];
}

/** Marks them as imported, and appends their events. */
export async function importMessages(
  ctx: WriteContext,
  conversation: string,
  messages: readonly ImportedMessage[],
  writers: Writers,
): Promise<void> {
  if (messages.length === 0) return;
  const at = new Date(ctx.now);
  const [counted] = await all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ messages: sql<number>`messages + ${messages.length}`, last_message_at: at, updated_at: at })
      .where("id", "=", conversation)
      .returning(["messages", "deciders"]),
  );
  if (!counted) throw new TypeError("messages belong to a conversation that exists");
  await uniteWriters(ctx, conversation, counted.deciders, writers);
  const first = counted.messages - messages.length + 1;
  const rows = messages.map(({ parts, created_at = at, ...message }, index) => ({
    ...message,
    conversation,
    id: ctx.newId("msg"),
    number: first + index,
    status: "complete" as const,
    imported: true,
    parts: JSON.stringify(parts),
    body: textOf(parts),
    audit_ref: ctx.auditRef,
    created_at,
    completed_at: created_at,
  }));
  const stored = (await all(ctx, insert(ctx, "chat_messages", rows).returningAll())) as MessageRow[];
  stored.sort((one, other) => one.number - other.number);
  await appendEvents(
    ctx,
    conversation,
    stored.map((row) => ({ type: "chat.message.completed", data: { message: messageView(row) } }) as const),
  );
}
