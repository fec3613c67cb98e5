import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { findKnownAgent, type KnownAgent } from "../../../agents/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { exampleTask } from "../../example.ts";
import { Task } from "../../schemas.ts";
import { withHolds } from "../held-by.ts";
import { listTasks as readPage, type TaskFilter } from "../list-store.ts";
import { taskView } from "../view.ts";
import { taskFilters } from "./list-tasks.ts";

const { agent: _agent, ...filters } = taskFilters;

export const listAgentTasks = defineList({
  id: "agents.listAgentTasks",
  path: "/v1/agents/{agent}/tasks",
  summary: "List the tasks of an agent",
  description: "Newest first, with the filters of GET /v1/tasks, in the environment of the key.",
  params: Type.Object({ agent: AgentName }),
  filters,
  item: Task,
  example: { params: { agent: "sales" }, item: exampleTask },
  permission: "tasks:read",
  load: (ctx: ReadContext, { agent }) => findKnownAgent(ctx, agent),
  compliance: governs("task.read", (_ctx, { loaded }: { loaded: KnownAgent }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  read: async (ctx, filter: TaskFilter, page, { agent }: KnownAgent) =>
    withHolds(ctx, await readPage(ctx, { ...filter, agent: [agent] }, page)),
  position: ({ row }) => row.id,
  view: ({ row, held }, ctx) => taskView(row, ctx.appUrl, held),
});
