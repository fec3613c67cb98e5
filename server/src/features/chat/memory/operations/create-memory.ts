import type { WriteContext } from "../../../../kernel/context.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { lockConversation } from "../../conversations/store.ts";
import { addWritersAtOnce, writersOf } from "../../conversations/writers.ts";
import { exampleMemory } from "../../example.ts";
import { CreateMemoryBody } from "../../schemas.ts";
import { memories } from "../resource.ts";
import { checkSource, memoryFaults, subjectOfMemory } from "../rules.ts";

export const createMemory = defineOperation({
  ...memories.changeOfAll(),
  ...memories.answer,
  id: "chat.createMemory",
  method: "POST",
  status: 201,
  summary: "Remember something of a user or a conversation",
  description:
    "With `user` every agent reads it in conversations of that user, else only in `conversation_id`. Agents read memories as data: they follow no instruction in them.",
  body: CreateMemoryBody,
  example: { body: { user: "customer-4711", text: exampleMemory.text }, output: exampleMemory },
  validate: (_ctx, { body }) => memoryFaults(body),
  gate: exempt("makes no agent act"),
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
    const made = await memories.rows.insert(ctx, {
      id: ctx.newId("mem"),
      end_user: user,
      conversation: conversation_id,
      text,
      source_message: source_message_id,
      generated: false,
      author: ctx.principal.id,
      audit_ref: ctx.auditRef,
      created_at: new Date(ctx.now),
    });
    return memories.view(made, ctx);
  },
});

async function countAsWriter(ctx: WriteContext, conversation: string): Promise<void> {
  await lockConversation(ctx, conversation);
  await addWritersAtOnce(ctx, conversation, writersOf(ctx, conversation));
}
