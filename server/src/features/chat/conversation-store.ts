import { first, type Row, select, sql } from "../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Hold } from "../../kernel/hold.ts";
import { isId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { ChatHolder, Principal, Scope } from "../../kernel/principal.ts";
import type { Conversation, Handoff } from "./schemas.ts";

type Looking = { readonly scope: Scope; readonly db: Statements; readonly principal?: Principal };

/** A conversation with what is counted of its turns. */
export interface ConversationRow extends Omit<Row<"chat_conversations">, "state"> {
  readonly state: Conversation["state"];
  readonly busy: boolean;
  readonly waiting: number;
  /** The name of the person who handles it. */
  readonly handler_name: string | null;
}

/** Conversations that the caller may see, with what is counted of them; the caller adds predicates on `c`. */
export function selectConversations(ctx: Looking) {
  const chat = ctx.principal?.chat;
  const { organization, environment } = ctx.scope;
  const turns = sql`from chat_turns t where t.organization = ${organization} and t.environment = ${environment} and t.conversation = c.id`;
  return select(ctx, "chat_conversations", "c")
    .selectAll("c")
    .select([
      sql<boolean>`exists (select ${turns} and t.state = 'running')`.as("busy"),
      sql<number>`(select count(*)::int ${turns} and t.state = 'queued')`.as("waiting"),
      sql<string | null>`(select m.name from members m where m.organization = ${organization} and m.id = c.handler)`.as(
        "handler_name",
      ),
    ])
    .$if(chat !== undefined, (query) => query.where(isOwn(chat as ChatHolder)));
}

/** A conversation that the caller may see: who holds a widget's token sees their own alone. */
export async function findConversation(
  ctx: Looking & Pick<CallContext, "principal">,
  id: string,
): Promise<ConversationRow | undefined> {
  if (!isId(id, "cnv")) return undefined;
  return (await first(ctx, selectConversations(ctx).where("c.id", "=", id))) as ConversationRow | undefined;
}

/** An end user's own conversations: the one that the token names, or all with its agent in its channel. */
const isOwn = ({ user, agent, channel, conversation }: ChatHolder) =>
  conversation === null
    ? sql<boolean>`c.end_user = ${user} and c.agent = ${agent} and c.channel = ${channel}`
    : sql<boolean>`c.end_user = ${user} and c.id = ${conversation}`;

/** The conversation's row, locked until the transaction ends. Whoever changes a conversation, its messages or turns holds it. */
export const lockConversation = (ctx: WriteContext, id: string): Promise<Row<"chat_conversations"> | undefined> =>
  first(ctx, select(ctx, "chat_conversations", "c").selectAll("c").where("c.id", "=", id).forUpdate());

/** A conversation as callers read it, with what holds it (`held-by.ts`). */
export function conversationView(row: ConversationRow, held: Hold | null): Conversation {
  const { handler, version_number: number, version_id } = row;
  return {
    ...{ conversation_id: row.id, agent: row.agent, repin_after_seconds: row.repin_seconds, state: row.state },
    version: number === null || version_id === null ? null : { number, version_id },
    handler:
      handler === null
        ? { kind: "agent", id: row.agent, name: row.agent, since: null }
        : { kind: "person", id: handler, name: row.handler_name ?? handler, since: timeOf(row.handler_since) },
    handoff: row.handoff as Handoff | null,
    held_by: held,
    ...{ user: row.end_user, channel: row.channel, external_key: row.external_key, title: row.title },
    ...{ labels: row.labels, language: row.language, context: JSON.parse(row.context) as Record<string, unknown> },
    ...{ busy: row.busy, waiting: row.waiting, messages: row.messages, sequence: row.sequence },
    disclosure: row.disclosure === null ? null : { text: row.disclosure, delivered_at: timeOf(row.disclosed_at) },
    forked_from: row.forked_from as Conversation["forked_from"],
    ...{ started_by: row.principal, revision: row.revision, audit_ref: row.audit_ref },
    ...{ created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() },
    ...{
      last_message_at: timeOf(row.last_message_at),
      closed_at: timeOf(row.closed_at),
      erase_at: timeOf(row.erase_at),
    },
  };
}

const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;
