import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation } from "../../schemas.ts";
import { conversationFilters, type ListedConversation, listConversationRows } from "../operation-parts.ts";
import { conversationView } from "../store.ts";
import { type HeldConversation, seenBy, withHolds } from "../view.ts";

export const listConversations = defineList({
  id: "chat.listConversations",
  path: "/v1/chat/conversations",
  listed: true,
  summary: "List conversations",
  description:
    "The one that changed last comes first: a message, a hand-off or a new title moves a conversation to the front. Filters narrow together.",
  filters: conversationFilters,
  item: Conversation,
  example: { item: exampleConversation },
  permission: "chat:read",
  narrowing: limitedTo("lists conversations with the key's agents"),
  compliance: governs("chat.read"),
  audit: "conversations",
  sort: "-updated_at",
  read: async (ctx, filter, page) => withHolds(ctx, await listConversationRows(ctx, filter, page)),
  position: ({ row: { changed, id } }: HeldConversation<ListedConversation>) => ({ keys: [changed], id }),
  view: ({ row, held, handoff }, { principal }) => seenBy(principal, conversationView(row, held, handoff)),
});
