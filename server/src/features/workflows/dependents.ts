import type { DependentSource } from "../agents/public.ts";

/** The workflows that name an agent, in their live version or their draft. Those that missions made for themselves are left out. */
export const dependentWorkflows: DependentSource = {
  kind: "workflow",
  permission: "workflows:read",
  async find({ scope, db }, agent, within, take) {
    const rows = await db.query<{ name: string; live: boolean }>(
      `select w.name, coalesce($3 = any(v.agents), false) as live
       from workflows w
       left join workflow_releases r on r.organization = w.organization and r.environment = $2 and r.workflow = w.name and r.ended_at is null
       left join workflow_versions v on v.organization = r.organization and v.workflow = r.workflow and v.number = r.version_number
       where w.organization = $1 and w.archived_at is null and not w.hidden and ($3 = any(w.agents) or $3 = any(v.agents))
         and ($4::text[] is null or w.agents || coalesce(v.agents, '{}') <@ $4) order by live desc, w.name limit $5`,
      [scope.organization, scope.environment, agent, within, take],
    );
    return rows.map(({ name, live }) => ({
      ...{ id: name, name, state: live ? "live" : "draft", active: live, path: `/v1/workflows/${name}` },
    }));
  },
};
