import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { findKnownAgent, type KnownAgent } from "../../../agents/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { exampleMemory } from "../../example.ts";
import { AgentMemory, ConversationId, EndUser } from "../../schemas.ts";
import { memories } from "../resource.ts";
import { listMemoriesOf } from "../store.ts";

export const listAgentMemory = defineList({
  id: "agents.listMemory",
  path: "/v1/agents/{agent}/memory",
  summary: "List what an agent remembers",
  description:
    "What it reads in its conversations: memories of a conversation, and of the users who write to it, each with the message that it was taken from. A key that is narrowed to agents sees those of their " +
    "conversations alone. Newest first.",
  params: Type.Object({ agent: AgentName }),
  filters: { user: Type.Optional(EndUser), conversation: Type.Optional(ConversationId) },
  item: AgentMemory,
  example: { params: { agent: "support" }, item: { ...exampleMemory, scope: "user" } },
  permission: "chat:read",
  load: (ctx, { agent }) => findKnownAgent(ctx, agent),
  compliance: governs("chat.read", (_ctx, { loaded }: { loaded: KnownAgent }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: "memories",
  read: (ctx, filter, page, { agent }) => listMemoriesOf(ctx, agent, filter, page),
  position: ({ id }) => id,
  view: (row, ctx) => ({
    ...memories.view(row, ctx),
    scope: row.end_user === null ? ("conversation" as const) : ("user" as const),
  }),
});
