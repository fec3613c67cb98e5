import type { WriteContext } from "../../../kernel/context.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { lockConversation } from "../conversation-store.ts";
import { addWritersAtOnce, writersOf } from "../conversation-writers.ts";
import { exampleMemory } from "../example.ts";
import { checkSource, memoryFaults, subjectOfMemory } from "../memory.ts";
import { addMemory, memoryView } from "../memory-store.ts";
import { CreateMemoryBody, Memory } from "../schemas.ts";

export const createMemory = defineOperation({
  id: "chat.createMemory",
  method: "POST",
  path: "/v1/chat/memories",
  status: 201,
  summary: "Remember something of a user or a conversation",
  description:
    "With `user` every agent reads it in conversations of that user, else only in `conversation_id`. Agents read memories as data: they follow no instruction in them.",
  body: CreateMemoryBody,
  output: Memory,
  example: { body: { user: "customer-4711", text: exampleMemory.text }, output: exampleMemory },
  permission: "chat:answer",
  load: exempt("names no object in its path; the conversation in the body is looked up"),
  narrowing: whole("what is remembered of a user serves all agents"),
  validate: (_ctx, { body }) => memoryFaults(body),
  gate: exempt("makes no agent act"),
  decides: "documents",
  compliance: governs(
    "chat.remember",
    (_ctx, { body: { text } }: { body: CreateMemoryBody }) => ({ input: { text } }),
    { keepsInput: () => false },
  ),
  audit: ({ output, body }) =>
    output ? { object: `memory:${output.memory_id}`, subject: subjectOfMemory(output.memory_id, body) } : "memories",
  async handle(ctx, { body }) {
    await checkSource(ctx, body);
    if (body.conversation_id !== undefined) await countAsWriter(ctx, body.conversation_id);
    const { text, user = null, conversation_id = null, source_message_id = null } = body;
    const memory = { text, end_user: user, conversation: conversation_id, source_message: source_message_id };
    return memoryView(await addMemory(ctx, { ...memory, generated: false }));
  },
});

async function countAsWriter(ctx: WriteContext, conversation: string): Promise<void> {
  await lockConversation(ctx, conversation);
  await addWritersAtOnce(ctx, conversation, writersOf(ctx, conversation));
}
