import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { exampleMemory } from "../../example.ts";
import { DeletedMemory } from "../../schemas.ts";
import { memories } from "../resource.ts";
import { forgetMemory } from "../rules.ts";

export const deleteMemory = defineOperation({
  ...memories.changeOfOne("chat.erase"),
  id: "chat.deleteMemory",
  method: "DELETE",
  summary: "Erase a memory",
  description: "Agents no longer read it from their next turn on, and it is kept nowhere.",
  output: DeletedMemory,
  example: {
    params: { memory: exampleMemory.memory_id },
    output: { memory_id: exampleMemory.memory_id, deleted: true, audit_ref: exampleMemory.audit_ref },
  },
  gate: exempt("makes no agent act"),
  decides: exempt("erases a memory, adds none"),
  handle: (ctx, { loaded }) => forgetMemory(ctx, loaded),
});
