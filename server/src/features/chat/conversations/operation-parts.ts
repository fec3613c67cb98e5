import { type Static, Type } from "typebox";
import { all, select, sql } from "../../../db/scoped.ts";
import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { momentOf } from "../../../kernel/moment.ts";
import type { AuditObject } from "../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../kernel/schema-words.ts";
import { agentSeen } from "../../tasks/public.ts";
import { handoverKinds, isHandedOver } from "../handoffs/store.ts";
import { ConversationId, Message, MessageId } from "../schemas.ts";
import { findMessage, type MessageRow } from "./message-store.ts";
import { type ConversationRow, findConversation, selectConversations } from "./store.ts";

export const ConversationParams = Type.Object({ conversation: ConversationId });

export const conversationRead = (ctx: CallContext, { loaded }: { loaded: ConversationRow }) => ({
  agent: agentSeen(ctx, loaded.agent),
});

export const aboutConversation = ({
  params,
  loaded,
}: {
  params: { conversation: string };
  loaded: ConversationRow | undefined;
}): AuditObject => ({
  object: `conversation:${params.conversation}`,
  ...(loaded ? { subject: loaded.id } : {}),
});

export const conversationFilters = {
  agent: commaList(Type.String(), "Agents by name"),
  user: Type.Optional(Type.String({ description: "Your name of the person who writes." })),
  state: Type.Optional(Type.Enum(["open", "closed"] as const, { description: "`open` or `closed`." })),
  channel: commaList(Type.String(), "Channels"),
  handler: Type.Optional(
    Type.Enum(["agent", "person", "waiting"] as const, {
      description: "Who answers: the agent or a person. `waiting`: a person was asked for and nobody took it yet.",
    }),
  ),
  team: commaList(Type.String(), "Teams that conversations were handed to"),
  label: Type.Optional(Type.String({ description: "A label that the conversations carry." })),
  external_key: Type.Optional(Type.String({ description: "Your name of the conversation." })),
  handover: Type.Optional(
    Type.Enum(handoverKinds, {
      description:
        "Those handed to people at least once: `any`, `taken` by a person, `answered` by one, `waiting` for one now, or with a service level `breached`. The service levels of analytics count them.",
    }),
  ),
  handover_team: commaList(Type.String(), "Teams that hand-overs were for; `-` for those without a team"),
  handover_after: Type.Optional(
    Type.String({ format: "date-time", description: "Those handed to people at this time or later." }),
  ),
  handover_before: Type.Optional(
    Type.String({ format: "date-time", description: "Those handed to people before this time." }),
  ),
  ...createdRange,
};
const ConversationFilter = Type.Object(conversationFilters);
export type ConversationFilter = Static<typeof ConversationFilter>;

/** `changed` has the microseconds that a `Date` drops. */
export type ListedConversation = ConversationRow & { readonly changed: string };

/** Narrowed to the key's agents, unsorted. */
export function filteredConversations(ctx: QueryContext & Pick<CallContext, "principal">, filter: ConversationFilter) {
  const { agent, user, state, channel, handler, team, label, external_key, created_after, created_before } = filter;
  const { agents } = ctx.principal;
  let query = selectConversations(ctx);
  if (agents !== null) query = query.where(sql<boolean>`c.agent = any(${agents}::text[])`);
  if (agent) query = query.where(sql<boolean>`c.agent = any(${agent}::text[])`);
  if (user !== undefined) query = query.where("c.end_user", "=", user);
  if (state !== undefined) query = query.where("c.state", "=", state);
  if (channel) query = query.where(sql<boolean>`c.channel = any(${channel}::text[])`);
  if (handler !== undefined) query = query.where(handledBy[handler]);
  if (team) query = query.where(sql<boolean>`c.handoff ->> 'team' = any(${team}::text[])`);
  const handedOver = isHandedOver(ctx, filter);
  if (handedOver) query = query.where(handedOver);
  if (label !== undefined) query = query.where(sql<boolean>`${label} = any(c.labels)`);
  if (external_key !== undefined) query = query.where("c.external_key", "=", external_key);
  if (created_after !== undefined) query = query.where("c.id", ">=", lowestId("cnv", momentOf(created_after)));
  if (created_before !== undefined) query = query.where("c.id", "<", lowestId("cnv", momentOf(created_before)));
  return query;
}

const handledBy = {
  agent: sql<boolean>`c.handler is null`,
  person: sql<boolean>`c.handler is not null`,
  waiting: sql<boolean>`c.handler is null and c.handoff ->> 'to' = 'person' and c.handoff ->> 'taken_at' is null`,
};

export async function listConversationRows(
  ctx: ReadContext,
  filter: ConversationFilter,
  { after, take }: PageRequest,
): Promise<ListedConversation[]> {
  let query = filteredConversations(ctx, filter).select(sql<string>`c.updated_at::text`.as("changed"));
  if (after) query = query.where(sql<boolean>`(c.updated_at, c.id) < (${after.keys[0]}::timestamptz, ${after.id})`);
  const sorted = query.orderBy("c.updated_at", "desc").orderBy("c.id", "desc").limit(take);
  return (await all(ctx, sorted)) as ListedConversation[];
}

export const messageFilters = {
  order: Type.Optional(
    Type.Enum(["newest", "oldest"] as const, { default: "newest", description: "Which message comes first." }),
  ),
  status: commaList(Message.properties.status, "States"),
  role: commaList(Message.properties.role, "Who wrote them"),
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Those with higher numbers." })),
};
const MessageFilter = Type.Object(messageFilters);

export async function listMessageRows(
  ctx: ReadContext,
  conversation: string,
  { order = "newest", status, role, after: above }: Static<typeof MessageFilter>,
  { after, take }: PageRequest,
): Promise<MessageRow[]> {
  let query = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  if (status) query = query.where("m.status", "in", status);
  if (role) query = query.where("m.role", "in", role);
  if (above !== undefined) query = query.where("m.number", ">", above);
  if (after) query = query.where("m.number", order === "newest" ? "<" : ">", Number(after.keys[0]));
  const sorted = query.orderBy("m.number", order === "newest" ? "desc" : "asc").limit(take);
  return (await all(ctx, sorted)) as MessageRow[];
}

// What operations about one message of a conversation share.

export const MessageParams = Type.Object({ ...ConversationParams.properties, message: MessageId });
export type FoundMessage = ConversationRow & { readonly message: MessageRow };

export async function loadMessage(
  ctx: ReadContext,
  { conversation, message: id }: Static<typeof MessageParams>,
): Promise<FoundMessage | undefined> {
  const row = await findConversation(ctx, conversation);
  const message = row && (await findMessage(ctx, id));
  return row && message?.conversation === row.id ? { ...row, message } : undefined;
}

export const aboutMessage = ({
  params,
  loaded,
}: {
  params: { message: string };
  loaded: FoundMessage | undefined;
}): AuditObject => ({
  object: `message:${params.message}`,
  ...(loaded ? { subject: loaded.id, task: loaded.message.task } : {}),
});
