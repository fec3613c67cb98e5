import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { exampleConversation, exampleMessage } from "../../example.ts";
import { ChatSearchAnswer, ChatSearchBody } from "../../schemas.ts";
import { searchMessages as find, searchObject } from "../search-store.ts";

const { conversation_id, agent, user, channel, title } = exampleConversation;
const { message_id, number, role, author, created_at } = exampleMessage;

export const searchMessages = defineOperation({
  id: "chat.searchMessages",
  method: "POST",
  path: "/v1/chat/search",
  summary: "Search conversations",
  description:
    "Finds messages by their words in the conversations that the caller may read, best first, each with the passages that contain them. Words are compared as written, whatever the language.",
  body: ChatSearchBody,
  output: ChatSearchAnswer,
  example: {
    body: { query: "way tuesday", user: "customer-4711" },
    output: {
      data: [
        {
          conversation_id,
          agent,
          user,
          channel,
          title,
          message_id,
          number,
          role,
          author_name: author.name,
          created_at,
          snippet: "It is on its way and arrives on Tuesday.",
          score: 0.05,
          highlights: [
            { start: 13, end: 16 },
            { start: 32, end: 39 },
          ],
        },
      ],
      has_more: false,
    },
  },
  permission: "chat:read",
  load: exempt("names no object; it finds what the key may see"),
  narrowing: limitedTo("searches conversations with the key's agents"),
  gate: exempt("makes no agent act"),
  decides: exempt("searches for the caller and stores nothing"),
  compliance: governs("chat.read"),
  audit: searchObject,
  errors: [invalidBody],
  async handle(ctx, { body }) {
    const limit = body.limit ?? 25;
    const found = await find(ctx, body);
    return { data: found.slice(0, limit), has_more: found.length > limit };
  },
});
