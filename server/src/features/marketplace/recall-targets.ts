import type { Statements } from "../../kernel/machines.ts";
import { type Environment, environments } from "../../kernel/principal.ts";

/** What a kill switch of a recall is about. */
export type StopKind = "agent" | "workflow" | "tool";

/** Something of an install that a recall in force has not stopped yet. */
export interface RecallTarget {
  readonly organization: string;
  readonly recall_id: string;
  /** Where it is to be stopped. */
  readonly environment: Environment;
  readonly install_id: string;
  /** Where it was installed. */
  readonly installed_in: Environment;
  readonly version: string;
  readonly kind: StopKind;
  readonly target: string;
}

/**
 * Agents and workflows belong to the organization, and are stopped in every environment: in those where they are not live, before somebody deploys them there.
 * Tools are stopped by name, which agents that never saw the bundle may use for tools of their own: only where the bundle is installed or the agent that got
 * them is live. A part that never came to be is left out, and so is one that was removed while it stays so: an agent or workflow that was restored since, or a
 * tool that the live version of the agent still has, is stopped.
 */
const targets = `
  select distinct on (r.organization, r.id, e.environment, p.kind, p.target)
    r.organization, r.id as recall_id, e.environment, i.id as install_id, i.environment as installed_in, i.version, p.kind, p.target
  from marketplace_recalls r
  join marketplace_versions v on v.organization = r.organization and v.listing_id = r.listing_id and v.version = any(r.versions)
    and v.state in ('quarantined', 'recalled')
  join marketplace_installs i on i.organization = v.organization and i.listing_id = v.listing_id and i.version = v.version
  cross join lateral (
    select p ->> 'kind' as kind, p ->> 'name' as target, p ->> 'state' = 'removed' as removed from jsonb_array_elements(i.parts::jsonb) p
    where p ->> 'kind' in ('agent', 'workflow', 'tool')) p
  cross join unnest('{${environments.join(",")}}'::text[]) e(environment)
  where r.lifted_at is null
    and case p.kind
      when 'agent' then exists (select from agents a where a.organization = r.organization and a.name = p.target
        and (not p.removed or a.archived_at is null))
      when 'workflow' then exists (select from workflows w where w.organization = r.organization and w.name = p.target
        and (not p.removed or w.archived_at is null))
      else (e.environment = i.environment and not p.removed) or exists (select from deployments d
        join agent_versions a on a.organization = d.organization and a.agent = d.agent and a.number = d.version_number
        where d.organization = r.organization and d.environment = e.environment and d.agent = i.agent and d.state in ('live', 'canary')
          and (not p.removed or a.definition -> 'tools' @> jsonb_build_array(jsonb_build_object('name', p.target)))) end
    and not exists (select from marketplace_stops s where s.organization = r.organization and s.environment = e.environment and s.recall_id = r.id
      and s.kind = p.kind and s.target = p.target)`;

/** What a recall has still to stop, in every environment; where two installs have it, of the one in that environment. */
export const listTargets = (db: Statements, organization: string, recall: string): Promise<RecallTarget[]> =>
  db.query<RecallTarget>(
    `${targets} and r.organization = $1 and r.id = $2
     order by r.organization, r.id, e.environment, p.kind, p.target, i.environment = e.environment desc, i.id`,
    [organization, recall],
  );

/** Recalls in force that are not done, or whose installs came or whose agents were deployed since. */
export const listOpenRecalls = (
  db: Statements,
  most: number,
): Promise<{ readonly organization: string; readonly id: string }[]> =>
  db.query(
    `select organization, id from marketplace_recalls where done_at is null and lifted_at is null
     union select organization, recall_id from (${targets}) t order by 1, 2 limit $1`,
    [most],
  );
