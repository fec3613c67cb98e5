import { defineList } from "../../../kernel/listing.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleChannel } from "../channel-example.ts";
import { channelView } from "../channel-model.ts";
import { Channel } from "../channel-schemas.ts";
import { listChannelRows } from "../channel-store.ts";

export const listChannels = defineList({
  id: "chat.listChannels",
  path: "/v1/chat/channels",
  summary: "List channels",
  description:
    "The ways by which people write to agents of this environment, by name from the last. Their secrets cannot be read.",
  item: Channel,
  example: { item: exampleChannel },
  permission: "chat:read",
  narrowing: whole("channels are settings of the environment"),
  compliance: governs("chat.read"),
  audit: "channels",
  sort: "-name",
  read: (ctx, _filter, page) => listChannelRows(ctx, page),
  position: ({ name }) => name,
  view: (row, { appUrl }) => channelView(row, appUrl),
});
