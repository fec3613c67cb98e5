import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, insufficientScope } from "../../../../kernel/problems.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { findConversation } from "../../conversations/store.ts";
import { exampleConversation } from "../../example.ts";
import { Note, NoteBody } from "../../schemas.ts";
import { nameOf, refuseWhoMayNot } from "../effects.ts";
import { exampleNote } from "../example.ts";
import { countNotes, insertNote, mostNotes } from "../notes-store.ts";

export const addNote = defineOperation({
  id: "chat.addNote",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/notes",
  status: 201,
  summary: "Add a private note to a conversation",
  description:
    "For the people who answer. Users, exports of the conversation, other interfaces and models never see it. It is deleted with the conversation.",
  params: ConversationParams,
  body: NoteBody,
  output: Note,
  location: ({ conversation_id }) => `/v1/chat/conversations/${conversation_id}/handoff`,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { text: exampleNote.text },
    output: exampleNote,
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  decides: exempt("people read it, and no agent"),
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  errors: [conflict, insufficientScope],
  async handle(ctx, { loaded, body }) {
    refuseWhoMayNot(ctx);
    if ((await countNotes(ctx, loaded.id)) >= mostNotes)
      throw refuse(conflict, `The conversation has ${mostNotes} notes, which is the most.`);
    return insertNote(ctx, loaded.id, body.text, await nameOf(ctx));
  },
});
