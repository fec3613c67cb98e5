import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of schedules.

export const agentScheduleRunRows = shareRows("agent_schedule_runs", "organization", "environment", "schedule");

export const agentScheduleRows = shareRows("agent_schedules", "organization", "environment", "agent");
