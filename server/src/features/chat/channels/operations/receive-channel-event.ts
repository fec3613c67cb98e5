import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { automationStopped } from "../../../admin/public.ts";
import { agentNotDeployed } from "../../../tasks/public.ts";
import { conversationStarted, messageCompleted } from "../../events.ts";
import { actorOfChannel } from "../actor.ts";
import { receive } from "../receive.ts";
import { channelRows } from "../resource.ts";
import { ChannelName, type SlackChannelConfig } from "../schemas.ts";
import { challengeOf, incomingOf, type SlackApp } from "../slack/event.ts";
import { isThread } from "../thread-store.ts";
import type { ChannelRow } from "../view.ts";

type Event = Readonly<Record<string, unknown>>;

/** Its signature was verified when the call was authenticated. Not in the API description, as its senders have no key. */
export const receiveChannelEvent = defineOperation({
  id: "chat.receiveChannelEvent",
  method: "POST",
  path: "/v1/chat/channels/{channel}/events",
  summary: "Receive an event of a channel",
  params: Type.Object({ channel: ChannelName }),
  body: Type.Record(Type.String(), Type.Unknown()),
  output: Type.Object({
    ok: Type.Literal(true),
    challenge: Type.Optional(Type.String({ description: "Of `url_verification`: what was asked, back." })),
    audit_ref: Type.String(),
  }),
  example: {
    params: { channel: "team-chat" },
    body: { type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" },
    output: {
      ok: true,
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
      audit_ref: "aud_01jd8x0000000000000000000b",
    },
  },
  permission: exempt("whoever has the signing secret of the channel may send its events"),
  load: (ctx, { channel }) => channelRows.find(ctx, channel),
  narrowing: openToAll(
    "takes a message in; the turn that begins by it has the permissions of who connected the channel",
  ),
  gate: exempt("the turn that begins by it passes the gate of its agent"),
  decides: "message",
  compliance: exempt("the turn that begins by it is judged as chat.message"),
  audit: ({ params }) => `channel:${params.channel}`,
  emits: [conversationStarted, messageCompleted, automationStopped],
  errors: [agentNotDeployed],
  async handle(ctx, { loaded, body }) {
    const challenge = challengeOf(body);
    const answer = { ok: true as const, audit_ref: ctx.auditRef };
    if (challenge !== null) return { ...answer, challenge };
    await takeEvent(ctx, loaded, body);
    return answer;
  },
});

async function takeEvent(ctx: WriteContext, channel: ChannelRow, body: Event): Promise<void> {
  const isKnown = (thread: string) => isThread(ctx, channel.name, thread);
  const { reader, config } = channel;
  const incoming = await incomingOf(body, reader as SlackApp, config as SlackChannelConfig, isKnown);
  if (incoming === null) return ctx.note("nothing that the agent answers");
  const { actor, stopped } = await actorOfChannel(ctx, channel);
  if (stopped !== null) ctx.note("kept unanswered: the channel has stopped");
  const { repeated } = await receive(ctx, channel, actor, incoming);
  if (repeated) ctx.note("taken before");
}
