import { first, select } from "../../../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import type { ChatFeedbackBody, CreateChatTokenBody, HandoffBody, StartConversationBody } from "../schemas.ts";
import { findConversation } from "./store.ts";

const usualChannel = "web";

export interface TokenTarget {
  readonly agent: string;
  readonly channel: string;
  readonly origins: readonly string[];
}

export function tokenFaults(ctx: CallContext, { agent, channel, origins }: CreateChatTokenBody): Fault[] {
  const fault = (pointer: string, code: string, detail: string): Fault[] => [{ pointer, code, detail }];
  if ((agent === undefined) === (channel === undefined))
    return fault("/agent", "agent_or_channel", "name an agent or a web channel, one of the two");
  if (agent === undefined) return [];
  const known = findKnownAgent(ctx, agent);
  return [
    ...(known && !known.archived ? [] : fault("/agent", "unknown_agent", `there is no agent ${agent}`)),
    ...(origins ? [] : fault("/origins", "required", "name the origins of the pages, such as https://www.example.com")),
  ];
}

/** Throws where the channel does not allow them. */
export async function tokenTarget(ctx: ReadContext | WriteContext, body: CreateChatTokenBody): Promise<TokenTarget> {
  const { agent, channel = usualChannel, origins = [] } = body;
  if (agent !== undefined) return { agent, channel, origins };
  const row = await findWebChannel(ctx, channel);
  if (!row) throw invalid("/channel", "unknown_channel", `there is no enabled web channel ${channel}`);
  const { origins: allowed = [] } = row.config as { origins?: readonly string[] };
  const foreign = origins.find((origin) => !allowed.includes(origin));
  if (foreign !== undefined)
    throw invalid("/origins", "not_of_channel", `${foreign} is none of the channel's origins; add it to the channel`);
  const chosen = origins.length > 0 ? origins : allowed;
  if (chosen.length === 0) throw invalid("/origins", "required", `the channel ${channel} names no origins`);
  return { agent: row.agent, channel, origins: chosen };
}

const findWebChannel = (ctx: ReadContext | WriteContext, name: string) =>
  first(
    ctx,
    select(ctx, "chat_channels", "h")
      .select(["h.agent", "h.config"])
      .where("h.name", "=", name)
      .where("h.kind", "=", "web")
      .where("h.enabled", "=", true),
  );

/** Null: the channel does not exist. */
export async function agentsOfToken(
  ctx: ReadContext | WriteContext,
  body: CreateChatTokenBody,
): Promise<readonly string[] | null> {
  if (body.agent !== undefined) return [body.agent];
  const row = body.channel === undefined ? undefined : await findWebChannel(ctx, body.channel);
  return row ? [row.agent] : null;
}

export async function checkConversation(
  ctx: ReadContext | WriteContext,
  { conversation, user }: CreateChatTokenBody,
  agent: string,
): Promise<void> {
  if (!conversation) return;
  const row = await findConversation(ctx, conversation);
  if (row?.end_user !== user || row.agent !== agent)
    throw invalid("/conversation", "unknown_conversation", `${user} has no conversation ${conversation} with ${agent}`);
}

/** Only callers with a key may set these: they shape what the agent reads or how people find the conversation. */
const keysOnly = ["context", "disclosure", "history", "labels", "repin_after_seconds"] as const;

export function endUserStartFaults({ chat }: Principal, body: StartConversationBody): Fault[] {
  if (!chat) return [];
  const faults: Fault[] = keysOnly
    .filter((name) => body[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, code: "needs_key", detail: "is not for chat tokens; start it with a key" }));
  if (body.user !== undefined && body.user !== chat.user)
    faults.push({ pointer: "/user", code: "other_user", detail: `is another one than the token's, ${chat.user}` });
  return faults;
}

export const endUserHandoffFaults = ({ chat }: Principal, { to, member, team }: HandoffBody): Fault[] =>
  !chat || (to === "person" && member === undefined && team === undefined)
    ? []
    : [{ pointer: "/to", code: "needs_key", detail: 'takes "person" alone from chat tokens, and no member or team' }];

export const endUserFeedbackFaults = ({ chat }: Principal, { correction }: ChatFeedbackBody): Fault[] =>
  chat && correction !== undefined
    ? [{ pointer: "/correction", code: "needs_key", detail: "is not for chat tokens; say it in `comment`" }]
    : [];

const invalid = (pointer: string, code: string, detail: string): Error =>
  refuse(invalidBody, `${pointer}: ${detail}.`, { errors: [{ pointer, code, detail }] });
