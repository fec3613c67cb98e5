import type { DependentSource } from "../agents/public.ts";

/** The monitors that draw tasks of an agent for review. They end by themselves when it has no tasks. */
export const dependentMonitors: DependentSource = {
  kind: "monitor",
  permission: "evaluations:read",
  async find({ scope, db }, agent, _within, take) {
    const rows = await db.query<{ id: string; skill: string | null; share: number; stopped: boolean }>(
      "select id, skill, share, stopped_at is not null as stopped from review_monitors where organization = $1 and environment = $2 and agent = $3 order by id limit $4",
      [scope.organization, scope.environment, agent, take],
    );
    return rows.map(({ id, skill, share, stopped }) => {
      const name = `${Math.round(share * 1000) / 10} % of ${skill ?? "all skills"}`;
      return { id, name, state: stopped ? "stopped" : "drawing", active: false, path: "/v1/evaluations/monitors" };
    });
  },
};
