import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleMemory } from "../example.ts";
import { forgetMemory } from "../memory.ts";
import { findMemory, type MemoryRow } from "../memory-store.ts";
import { DeletedMemory, MemoryId } from "../schemas.ts";

export const deleteMemory = defineOperation({
  id: "chat.deleteMemory",
  method: "DELETE",
  path: "/v1/chat/memories/{memory}",
  summary: "Erase a memory",
  description: "Agents read it no more from their next turn on, and it is kept nowhere.",
  params: Type.Object({ memory: MemoryId }),
  output: DeletedMemory,
  example: {
    params: { memory: exampleMemory.memory_id },
    output: { memory_id: exampleMemory.memory_id, deleted: true, audit_ref: exampleMemory.audit_ref },
  },
  permission: "chat:answer",
  load: (ctx, { memory }) => findMemory(ctx, memory),
  narrowing: whole("what is remembered of a user serves all agents"),
  gate: exempt("makes no agent act"),
  decides: exempt("erases a memory, adds none"),
  compliance: governs("chat.erase"),
  audit: ({ params }) => `memory:${params.memory}`,
  handle: (ctx, { loaded }: { loaded: MemoryRow }) => forgetMemory(ctx, loaded),
});
