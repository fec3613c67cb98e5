import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { AgentName } from "../../agents/schemas.ts";
import { exampleSchedule } from "../schedule-example.ts";
import { removeSchedule as removeRow } from "../schedule-store.ts";
import { AgentScheduleId, RemovedAgentSchedule } from "../schemas.ts";
import { loadSchedule, seenOfSchedule } from "./change-schedule.ts";

export const removeSchedule = defineOperation({
  id: "agents.removeSchedule",
  method: "DELETE",
  path: "/v1/agents/{agent}/schedules/{schedule}",
  summary: "Remove a schedule",
  description: "It dispatches no further task; those that it has dispatched go on.",
  params: Type.Object({ agent: AgentName, schedule: AgentScheduleId }),
  output: RemovedAgentSchedule,
  example: {
    params: { agent: exampleSchedule.agent, schedule: exampleSchedule.schedule_id },
    output: { schedule_id: exampleSchedule.schedule_id, removed: true },
  },
  permission: "agents:write",
  load: loadSchedule,
  gate: exempt("makes no agent act"),
  decides: exempt("stops a schedule; gives no input"),
  compliance: governs("agent.schedule", seenOfSchedule),
  audit: ({ params }) => `schedule:${params.schedule}`,
  async handle(ctx, { loaded: { row } }) {
    await removeRow(ctx, row.id);
    return { schedule_id: row.id, removed: true as const };
  },
});
