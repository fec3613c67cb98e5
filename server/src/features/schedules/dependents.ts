import type { DependentSource } from "../agents/public.ts";

/** The schedules of an agent. Archiving it ends them: none of them keeps it from being archived. */
export const dependentSchedules: DependentSource = {
  kind: "schedule",
  permission: "agents:read",
  async find({ scope, db }, agent, _within, take) {
    const rows = await db.query<{ id: string; task: string; schedule: string; paused: boolean }>(
      `select id, definition ->> 'task' as task, definition ->> 'schedule' as schedule, paused_at is not null as paused
       from agent_schedules where organization = $1 and environment = $2 and agent = $3 order by id limit $4`,
      [scope.organization, scope.environment, agent, take],
    );
    return rows.map(({ id, task, schedule, paused }) => ({
      id,
      name: `${task} at ${schedule}`,
      state: paused ? "paused" : "active",
      active: false,
      path: `/v1/agents/${agent}/schedules`,
    }));
  },
};
