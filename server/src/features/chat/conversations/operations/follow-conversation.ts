import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { exampleChatEvent, exampleConversation } from "../../example.ts";
import { ChatEvent } from "../../schemas.ts";
import { listEvents } from "../event-store.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { findConversation } from "../store.ts";
import { largestSequence, streamConversation } from "../stream.ts";
import { seenBy } from "../view.ts";

const filters = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largestSequence,
      description: "Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so.",
    }),
  ),
};

export const followConversation = defineList({
  id: "chat.followConversation",
  path: "/v1/chat/conversations/{conversation}/stream",
  listed: true,
  summary: "Join or resume the live stream",
  description:
    "With `Accept: text/event-stream` the events of the conversation as they happen: messages, the pieces of a reply while it is written, turns, hand-offs. " +
    "Each was stored before it is sent. `id` is the event's sequence: a client that comes back with `Last-Event-ID`, or with `after`, loses and doubles none, " +
    "whichever process answers it. The stream begins with all that happened before, so give `sequence` of the conversation or of a sent message as `after` to begin there. It says `: ping` after 15 s of silence. It stays open " +
    "between turns; when the conversation is closed and every event was sent, or it is erased, it says `event: end` and ends. It also ends within seconds when the " +
    "key may no longer read, and after an hour. A client that leaves stops nothing. Without that header: pages of events, oldest first.",
  params: ConversationParams,
  filters,
  item: ChatEvent,
  example: { params: { conversation: exampleConversation.conversation_id }, item: exampleChatEvent },
  permission: "chat:read",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  sort: "sequence",
  read: (ctx, filter, { after, take }, { id }) =>
    listEvents(ctx, id, Number(after?.keys[0] ?? filter.after ?? 0), take),
  position: ({ sequence }) => ({ keys: [sequence], id: String(sequence) }),
  view: (event, { principal }) => seenBy(principal, event),
  streams: {
    "text/event-stream": (ctx, { loaded, query }) => {
      if (query.cursor !== undefined) throw ofPages();
      return streamConversation(ctx, loaded.id, query.after);
    },
  },
});

function ofPages(): Error {
  const detail = "belongs to pages; a stream begins at `after` or Last-Event-ID";
  return refuse(invalidParameter, `cursor: ${detail}`, {
    errors: [{ parameter: "cursor", code: "not_of_streams", detail }],
  });
}
