import { all, insert, sql, update } from "../../../db/scoped.ts";
import type { Decider } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type Environment, environments } from "../../../kernel/principal.ts";
import { keyDeciders } from "../../admin/public.ts";
import { agentRows, agentVersionRows, deploymentRows } from "../../agents/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { workflowRows } from "../../workflows/shared-rows.ts";
import { type RecallRow, recalls } from "./resource.ts";

/** What a kill switch of a recall stops. */
type StopKind = "agent" | "workflow" | "tool";

/** A part of an install that a recall has not stopped yet. */
export interface RecallTarget {
  readonly organization: string;
  readonly recall_id: string;
  /** Where it is to be stopped. */
  readonly environment: Environment;
  readonly install_id: string;
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
      when 'agent' then exists (select from ${agentRows} a where a.organization = r.organization and a.name = p.target
        and (not p.removed or a.archived_at is null))
      when 'workflow' then exists (select from ${workflowRows} w where w.organization = r.organization and w.name = p.target
        and (not p.removed or w.archived_at is null))
      else (e.environment = i.environment and not p.removed) or exists (select from ${deploymentRows} d
        join ${agentVersionRows} a on a.organization = d.organization and a.agent = d.agent and a.number = d.version_number
        where d.organization = r.organization and d.environment = e.environment and d.agent = i.agent and d.state in ('live', 'canary')
          and (not p.removed or a.definition -> 'tools' @> jsonb_build_array(jsonb_build_object('name', p.target)))) end
    and not exists (select from marketplace_stops s where s.organization = r.organization and s.environment = e.environment and s.recall_id = r.id
      and s.kind = p.kind and s.target = p.target)`;

/** In every environment; where two installs have a part, the one in that environment counts. */
export const listTargets = (db: Statements, organization: string, recall: string): Promise<RecallTarget[]> =>
  db.query<RecallTarget>(
    `${targets} and r.organization = $1 and r.id = $2
     order by r.organization, r.id, e.environment, p.kind, p.target, i.environment = e.environment desc, i.id`,
    [organization, recall],
  );

/** Recalls that are not done, or with later installs or deployments. */
export const listOpenRecalls = (
  db: Statements,
  most: number,
): Promise<{ readonly organization: string; readonly id: string }[]> =>
  db.query(
    `select organization, id from marketplace_recalls where done_at is null and lifted_at is null
     union select organization, recall_id from (${targets}) t order by 1, 2 limit $1`,
    [most],
  );

/** Whoever gave its reason. */
export async function decidersOfRecall(ctx: WriteContext, id: string): Promise<readonly Decider[]> {
  const recall = await recalls.find(ctx, id);
  return recall ? keyDeciders(ctx, recall.by, null) : [];
}

/** Of a listing without quarantined versions. */
export async function liftQuarantines(ctx: WriteContext, listing: string): Promise<void> {
  const held = sql<boolean>`not exists (select from marketplace_versions v where v.organization = marketplace_recalls.organization
    and v.listing_id = marketplace_recalls.listing_id and v.version = any(marketplace_recalls.versions) and v.state = 'quarantined')`;
  const lifted = update(ctx, "marketplace_recalls")
    .set({ lifted_at: new Date(ctx.now) })
    .where("listing_id", "=", listing)
    .where("kind", "=", "quarantine")
    .where("lifted_at", "is", null);
  await all(ctx, lifted.where(held));
}

/** Everything known at this moment was stopped. */
export async function noteDone(ctx: WriteContext, id: string): Promise<void> {
  const open = update(ctx, "marketplace_recalls").where("id", "=", id).where("done_at", "is", null);
  await all(ctx, open.set({ done_at: sql<Date>`clock_timestamp()` }));
}

interface NewStop {
  readonly recall_id: string;
  readonly install_id: string;
  readonly kind: StopKind;
  readonly target: string;
  readonly kill_switch_id: string;
}

export async function insertStop(ctx: WriteContext, stop: NewStop): Promise<void> {
  const row = { ...stop, at: sql<Date>`clock_timestamp()` };
  await all(ctx, insert(ctx, "marketplace_stops", row as never));
}

/** With what became of the tasks that it ended. */
export interface SeenStop extends NewStop {
  readonly environment: Environment;
  readonly at: Date;
  readonly tasks_ended: number;
  /** When the last of the ended tasks ended. */
  readonly last_ended_at: Date | null;
  /** Whether a task that began before it still runs. */
  readonly runs: boolean;
}

/** In every environment of the organization. */
function listStops({ db, scope }: QueryContext, recalls: readonly string[]): Promise<SeenStop[]> {
  return db.query<SeenStop>(
    `select s.recall_id, s.environment, s.install_id, s.kind, s.target, s.kill_switch_id, s.at, e.tasks_ended, e.last_ended_at,
       s.kind <> 'tool' and exists (select from ${taskRows} t where t.organization = s.organization and t.environment = s.environment and t.status = 'running'
         and t.created_at < s.at and case s.kind when 'agent' then t.agent = s.target else t.run_workflow = s.target end) as runs
     from marketplace_stops s join marketplace_recalls r on r.organization = s.organization and r.id = s.recall_id
     cross join lateral (
       select count(*)::int as tasks_ended, max(t.finished_at) filter (where t.status = 'cancelled') as last_ended_at from ${taskRows} t
       where t.organization = s.organization and t.environment = s.environment and t.kill_switch_id = s.kill_switch_id and t.finished_at >= r.at) e
     where s.organization = $1 and s.recall_id = any($2) order by s.at, s.environment, s.kind, s.target`,
    [scope.organization, [...recalls]],
  );
}

/** With its listing's name. */
export interface ListedRecall extends RecallRow {
  readonly name: string;
  readonly title: string;
  readonly digests: readonly { readonly version: string; readonly digest: string }[];
  readonly installs: number;
  readonly stops: readonly SeenStop[];
}

/** Newest first. */
export async function listRecallRows(ctx: QueryContext, page: PageRequest): Promise<ListedRecall[]> {
  const rows = await recalls.page(ctx, page);
  const ids = rows.map(({ id }) => id);
  const described = new Map((await describeRecalls(ctx, ids)).map(({ id, ...more }) => [id, more]));
  const stops = Map.groupBy(await listStops(ctx, ids), ({ recall_id }) => recall_id);
  return rows.map((row) => ({ ...row, ...(described.get(row.id) as Described), stops: stops.get(row.id) ?? [] }));
}

type Described = Pick<ListedRecall, "name" | "title" | "digests" | "installs">;

const describeRecalls = ({ db, scope }: QueryContext, recalls: readonly string[]) =>
  db.query<Described & { id: string }>(
    `select r.id, l.name, shown.manifest::jsonb ->> 'title' as title, v.digests,
       (select count(*)::int from marketplace_installs i where i.organization = r.organization and i.listing_id = r.listing_id
         and i.version = any(r.versions) and i.state <> 'removed') as installs
     from marketplace_recalls r
     join marketplace_listings l on l.organization = r.organization and l.id = r.listing_id
     join marketplace_versions shown on shown.organization = l.organization and shown.listing_id = l.id and shown.version = l.shown
     cross join lateral (
       select coalesce(json_agg(json_build_object('version', v.version, 'digest', v.digest) order by v.numbers desc), '[]') as digests from marketplace_versions v
       where v.organization = r.organization and v.listing_id = r.listing_id and v.version = any(r.versions)) v
     where r.organization = $1 and r.id = any($2)`,
    [scope.organization, [...recalls]],
  );
