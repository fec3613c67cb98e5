import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { AgentName } from "../../agents/schemas.ts";
import { exampleSchedule } from "../schedule-example.ts";
import { listSchedules as readPage } from "../schedule-store.ts";
import { scheduleView } from "../schedule-view.ts";
import { AgentSchedule } from "../schemas.ts";

export const listSchedules = defineList({
  id: "agents.listSchedules",
  path: "/v1/agents/{agent}/schedules",
  summary: "List an agent's schedules",
  description:
    "Its recurring dispatches in the environment of the key, newest first: when each is due next, what it last dispatched, and why it last failed to.",
  params: Type.Object({ agent: AgentName }),
  item: AgentSchedule,
  example: { params: { agent: exampleSchedule.agent }, item: exampleSchedule },
  permission: "agents:read",
  load: (ctx, { agent }) => findKnownAgent(ctx, agent),
  compliance: governs("agent.read", (_ctx, { loaded }: { loaded: KnownAgent }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  read: (ctx, _filter, page, { agent }) => readPage(ctx, agent, page),
  position: ({ id }) => id,
  view: (row, ctx) => scheduleView(row, ctx.now),
});
