import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { exampleMemory } from "../../example.ts";
import { DeletedMemory, MemoryId } from "../../schemas.ts";
import { forgetMemory } from "../rules.ts";
import { findMemoryOf } from "../store.ts";

export const forgetAgentMemory = defineOperation({
  id: "agents.forgetMemory",
  method: "DELETE",
  path: "/v1/agents/{agent}/memory/{item}",
  summary: "Have an agent forget something",
  description:
    "It is not read from the next turn on, and kept nowhere. `audit_ref` names the record that proves it. What is remembered of a user, every agent forgets.",
  params: Type.Object({ agent: AgentName, item: MemoryId }),
  output: DeletedMemory,
  example: {
    params: { agent: "support", item: exampleMemory.memory_id },
    output: { memory_id: exampleMemory.memory_id, deleted: true, audit_ref: exampleMemory.audit_ref },
  },
  permission: "chat:answer",
  load: (ctx, { agent, item }) => loadMemory(ctx, agent, item),
  gate: exempt("makes no agent act"),
  decides: exempt("erases a memory, adds none"),
  compliance: governs("chat.erase"),
  audit: ({ params }) => `memory:${params.item}`,
  handle: (ctx, { loaded }) => forgetMemory(ctx, loaded.row),
});

async function loadMemory(ctx: ReadContext, agent: string, item: string) {
  const known = findKnownAgent(ctx, agent);
  const row = known && (await findMemoryOf(ctx, agent, item));
  return row && { row, agent };
}
