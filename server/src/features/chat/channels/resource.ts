import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineResource } from "../../../resources/resource.ts";
import { computed, defineRows, json } from "../../../resources/rows.ts";
import { erasedBy, erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleChannel } from "./example.ts";
import { channelFacts } from "./facts.ts";
import { Channel, ChannelName, channelNamePattern } from "./schemas.ts";
import { type ChannelDeliveries, type ChannelJson, channelView } from "./view.ts";

export const owned = ownTables({
  chat_channels: {
    keeps: untilRemoved("A channel is removed by people."),
    personal: {
      columns: ["config", "secret", "reader", "last_error", "created_by", "actor"],
      erased: erasedBy("chat.removeChannel"),
    },
  },
  chat_deliveries: {
    keeps: untilRemoved("Deleted with their conversation; those that wait, with their channel."),
    personal: { columns: ["last_error"], erased: erasedWith("chat_conversations") },
  },
  chat_threads: {
    keeps: untilRemoved("Deleted with their conversation."),
    personal: { columns: ["key", "address"], erased: erasedWith("chat_conversations") },
  },
  chat_channel_messages: {
    keeps: untilRemoved("Deleted with their conversation; until then no message is taken twice."),
    personal: { columns: ["external_id"], erased: erasedWith("chat_conversations") },
  },
});

const possibleName = new RegExp(channelNamePattern);
export const canBeName = (text: string): boolean => possibleName.test(text);
const named = {
  table: owned.chat_channels,
  key: "name",
  isKey: canBeName,
  json: json<ChannelJson>()("config", "reader"),
} as const;
/** Without what is counted of their deliveries. */
export const channelRows = defineRows(named);

const unsent = `from chat_deliveries d
  where d.organization = r.organization and d.environment = r.environment and d.channel = r.name and d.state <> 'sent'`;
const ofEnvironment = whole("channels are settings of the environment");

export const channels = defineResource({
  ...named,
  computed: computed<ChannelDeliveries>({
    waiting: `(select count(*)::int ${unsent} and d.state = 'waiting')`,
    failed: `(select count(*)::int ${unsent} and d.state = 'failed')`,
    delivery_error: `(select d.last_error ${unsent} and d.last_error is not null order by d.next_at desc limit 1)`,
    sends_fail: `exists (select ${unsent} and d.state = 'waiting' and d.last_error is not null)`,
  }),
  path: "/v1/chat/channels",
  member: Type.Object({ channel: ChannelName }),
  load: (ctx, { channel }) => channelRows.find(ctx, channel),
  item: Channel,
  identity: "name",
  example: { params: { channel: exampleChannel.name }, item: exampleChannel },
  view: (row, { appUrl }) => channelView(row, appUrl),
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "channel",
  objects: "channels",
  permission: { read: "chat:read", change: "chat:manage" },
  governs: { read: "chat.read", change: "chat.channel" },
  narrowing: { one: ofEnvironment, all: ofEnvironment },
  decides: "message",
  touches: channelFacts,
});
