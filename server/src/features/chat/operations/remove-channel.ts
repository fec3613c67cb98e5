import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { ChannelName, RemovedChannel } from "../channel-schemas.ts";
import { channelFacts, deleteChannel, findChannel } from "../channel-store.ts";

export const removeChannel = defineOperation({
  id: "chat.removeChannel",
  method: "DELETE",
  path: "/v1/chat/channels/{channel}",
  summary: "Disconnect a channel",
  description: "Its secret is destroyed; nothing is taken or sent by it any more. Its conversations stay.",
  params: Type.Object({ channel: ChannelName }),
  output: RemovedChannel,
  example: { params: { channel: "help" }, output: { name: "help", removed: true } },
  permission: "chat:manage",
  load: (ctx, { channel }) => findChannel(ctx, channel),
  narrowing: whole("channels are settings of the environment"),
  gate: exempt("makes no agent act"),
  decides: exempt("disconnects a channel; brings no messages"),
  compliance: governs("chat.channel"),
  audit: ({ params }) => `channel:${params.channel}`,
  async handle(ctx, { loaded: { name } }) {
    await deleteChannel(ctx, name);
    ctx.touch(channelFacts);
    return { name, removed: true as const };
  },
});
