import type { DependentSource } from "../agents/public.ts";

/** The open missions that may use an agent. */
export const dependentMissions: DependentSource = {
  kind: "mission",
  permission: "missions:read",
  async find({ scope, db }, agent, within, take) {
    const rows = await db.query<{ id: string; goal: string; status: string }>(
      `select id, goal, status from missions where organization = $1 and environment = $2 and $3 = any(agents) and status not in ('completed', 'cancelled')
         and ($4::text[] is null or agents <@ $4) order by id desc limit $5`,
      [scope.organization, scope.environment, agent, within, take],
    );
    return rows.map(({ id, goal, status }) => {
      const active = status === "running" || status === "paused" || status === "blocked";
      return { id, name: goal.slice(0, 200), state: status, active, path: `/v1/missions/${id}` };
    });
  },
};
