import { first, type Row, select, sql } from "../../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Hold } from "../../../kernel/hold.ts";
import { isId } from "../../../kernel/ids.ts";
import type { ChatHolder, Principal } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import type { Conversation, Handoff } from "../schemas.ts";

type ConversationContext = QueryContext & { readonly principal?: Principal };

export interface ConversationRow extends Omit<Row<"chat_conversations">, "state"> {
  readonly state: Conversation["state"];
  readonly busy: boolean;
  readonly waiting: number;
  readonly handler_name: string | null;
  /** Among those that wait for the same team, from 1; null: it waits for none. */
  readonly position: number | null;
}

export const conversationJson = storedJson<{ context: Record<string, unknown> }>();

/** The caller adds predicates on `c`. */
export function selectConversations(ctx: ConversationContext) {
  const chat = ctx.principal?.chat;
  const { organization, environment } = ctx.scope;
  const turns = sql`from chat_turns t where t.organization = ${organization} and t.environment = ${environment} and t.conversation = c.id`;
  return select(ctx, "chat_conversations", "c")
    .selectAll("c")
    .select([
      sql<boolean>`exists (select ${turns} and t.state = 'running')`.as("busy"),
      sql<number>`(select count(*)::int ${turns} and t.state = 'queued')`.as("waiting"),
      sql<
        string | null
      >`(select m.name from ${sql.raw(String(memberRows))} m where m.organization = ${organization} and m.id = c.handler)`.as(
        "handler_name",
      ),
      sql<number | null>`case when c.handler is null and c.state = 'open' and c.handoff ->> 'team' is not null then (
        select count(*)::int from chat_conversations w where w.organization = ${organization} and w.environment = ${environment}
          and w.handler is null and w.handoff is not null and w.state = 'open' and w.handoff ->> 'team' = c.handoff ->> 'team'
          and (w.handoff ->> 'requested_at', w.id) <= (c.handoff ->> 'requested_at', c.id)) end`.as("position"),
    ])
    .$if(chat !== undefined, (query) => query.where(isOwn(chat as ChatHolder)));
}

/** Holders of a widget's token see only their own. */
export async function findConversation(
  ctx: ConversationContext & Pick<CallContext, "principal">,
  id: string,
): Promise<ConversationRow | undefined> {
  if (!isId(id, "cnv")) return undefined;
  return (await first(ctx, selectConversations(ctx).where("c.id", "=", id))) as ConversationRow | undefined;
}

const isOwn = ({ user, agent, channel, conversation }: ChatHolder) =>
  conversation === null
    ? sql<boolean>`c.end_user = ${user} and c.agent = ${agent} and c.channel = ${channel}`
    : sql<boolean>`c.end_user = ${user} and c.id = ${conversation}`;

/** Whoever changes a conversation, its messages or turns holds this lock. */
export const lockConversation = (ctx: WriteContext, id: string): Promise<Row<"chat_conversations"> | undefined> =>
  first(ctx, select(ctx, "chat_conversations", "c").selectAll("c").where("c.id", "=", id).forUpdate());

export function conversationView(row: ConversationRow, held: Hold | null, handoff: Handoff | null): Conversation {
  const { handler, version_number: number, version_id } = row;
  return {
    conversation_id: row.id,
    agent: row.agent,
    repin_after_seconds: row.repin_seconds,
    state: row.state,
    version: number === null || version_id === null ? null : { number, version_id },
    handler:
      handler === null
        ? { kind: "agent", id: row.agent, name: row.agent, since: null }
        : { kind: "person", id: handler, name: row.handler_name ?? handler, since: timeOf(row.handler_since) },
    handoff,
    held_by: held,
    user: row.end_user,
    channel: row.channel,
    external_key: row.external_key,
    title: row.title,
    labels: row.labels,
    language: row.language,
    context: conversationJson(row, "context"),
    busy: row.busy,
    waiting: row.waiting,
    messages: row.messages,
    sequence: row.sequence,
    disclosure: row.disclosure === null ? null : { text: row.disclosure, delivered_at: timeOf(row.disclosed_at) },
    forked_from: row.forked_from as Conversation["forked_from"],
    started_by: row.principal,
    revision: row.revision,
    audit_ref: row.audit_ref,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_message_at: timeOf(row.last_message_at),
    closed_at: timeOf(row.closed_at),
    erase_at: timeOf(row.erase_at),
  };
}

const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;
