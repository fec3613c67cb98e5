import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleConversation } from "../../example.ts";
import { Participant } from "../../schemas.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { participantsOf } from "../participants.ts";
import { findConversation } from "../store.ts";

export const listParticipants = defineList({
  id: "chat.listParticipants",
  path: "/v1/chat/conversations/{conversation}/participants",
  summary: "List the participants of a conversation",
  description: "Everybody who wrote a message, and the user, agent and person who may write next.",
  params: ConversationParams,
  item: Participant,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    item: {
      kind: "agent",
      id: "support",
      name: "support",
      version: 3,
      messages: 1,
      active: true,
      first_at: "2026-11-23T09:00:01.000Z",
      last_at: "2026-11-23T09:00:01.000Z",
    },
  },
  permission: "chat:read",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  sort: "first_message",
  read: async (ctx, _filter, { after, take }, loaded) => {
    const listed = (await participantsOf(ctx, loaded)).map((one, place) => ({ ...one, place }));
    return listed.slice(after ? Number(after.keys[0]) + 1 : 0).slice(0, take);
  },
  position: ({ place }) => ({ keys: [place], id: String(place) }),
  view: ({ place: _place, ...participant }) => participant,
});
