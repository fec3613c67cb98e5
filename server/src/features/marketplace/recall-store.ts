import { all, first, insert, newestFirst, type Row, select, sql, update } from "../../db/scoped.ts";
import type { Decider } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Environment } from "../../kernel/principal.ts";
import { keyDeciders } from "../admin/public.ts";
import type { Here } from "./listing-store.ts";
import type { StopKind } from "./recall-targets.ts";

export interface RecallRow extends Omit<Row<"marketplace_recalls">, "kind"> {
  readonly kind: "quarantine" | "recall";
}

/** A recall of the organization. */
export async function findRecall(ctx: Here, id: string): Promise<RecallRow | undefined> {
  if (!isId(id, "rcl")) return undefined;
  const query = select(ctx, "marketplace_recalls", "r").selectAll().where("r.id", "=", id);
  return first(ctx, query.$castTo<RecallRow>());
}

/** Who gave the reason of a recall; nobody where there is no such recall. */
export async function decidersOfRecall(ctx: WriteContext, id: string): Promise<readonly Decider[]> {
  const recall = await findRecall(ctx, id);
  return recall ? keyDeciders(ctx, recall.by, null) : [];
}

/** Locks a recall until the transaction ends: what it stops is written by one call at a time. */
export async function lockRecall(ctx: WriteContext, id: string): Promise<RecallRow> {
  const query = select(ctx, "marketplace_recalls", "r").selectAll().where("r.id", "=", id).forUpdate();
  return (await first(ctx, query.$castTo<RecallRow>())) as RecallRow; // rows are never deleted
}

export type NewRecall = Pick<RecallRow, "id" | "kind" | "listing_id" | "reason"> & {
  readonly versions: readonly string[];
};

export async function insertRecall(ctx: WriteContext, { versions, ...recall }: NewRecall): Promise<void> {
  const at = sql<Date>`clock_timestamp()`;
  const row = { ...recall, versions: [...versions], by: ctx.principal.id, at };
  await all(ctx, insert(ctx, "marketplace_recalls", row as never));
}

/** Ends the quarantines of a listing of which no version is quarantined any more. */
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

/** Notes that everything was reached that there is at the moment. */
export async function noteDone(ctx: WriteContext, id: string): Promise<void> {
  const open = update(ctx, "marketplace_recalls").where("id", "=", id).where("done_at", "is", null);
  await all(ctx, open.set({ done_at: sql<Date>`clock_timestamp()` }));
}

export interface NewStop {
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

/** What a recall stopped, with what became of the tasks that it ended. */
export interface SeenStop extends NewStop {
  readonly environment: Environment;
  readonly at: Date;
  readonly tasks_ended: number;
  /** When the last running task ended that it ended. */
  readonly last_ended_at: Date | null;
  /** Whether something still runs that began before it. */
  readonly runs: boolean;
}

/** What recalls stopped, in every environment of the organization. */
export function listStops({ db, scope }: Here, recalls: readonly string[]): Promise<SeenStop[]> {
  return db.query<SeenStop>(
    `select s.recall_id, s.environment, s.install_id, s.kind, s.target, s.kill_switch_id, s.at, e.tasks_ended, e.last_ended_at,
       s.kind <> 'tool' and exists (select from tasks t where t.organization = s.organization and t.environment = s.environment and t.status = 'running'
         and t.created_at < s.at and case s.kind when 'agent' then t.agent = s.target else t.run_workflow = s.target end) as runs
     from marketplace_stops s join marketplace_recalls r on r.organization = s.organization and r.id = s.recall_id
     cross join lateral (
       select count(*)::int as tasks_ended, max(t.finished_at) filter (where t.status = 'cancelled') as last_ended_at from tasks t
       where t.organization = s.organization and t.environment = s.environment and t.kill_switch_id = s.kill_switch_id and t.finished_at >= r.at) e
     where s.organization = $1 and s.recall_id = any($2) order by s.at, s.environment, s.kind, s.target`,
    [scope.organization, [...recalls]],
  );
}

/** A recall with what people know its listing by. */
export interface ListedRecall extends RecallRow {
  readonly name: string;
  readonly title: string;
  readonly digests: readonly { readonly version: string; readonly digest: string }[];
  readonly installs: number;
  readonly stops: readonly SeenStop[];
}

/** A page of recalls, newest first. */
export async function listRecallRows(ctx: Here, page: PageRequest): Promise<ListedRecall[]> {
  const query = newestFirst(select(ctx, "marketplace_recalls", "r").selectAll(), "r.id", page);
  const rows = await all(ctx, query.$castTo<RecallRow>());
  const ids = rows.map(({ id }) => id);
  const told = new Map((await describeRecalls(ctx, ids)).map(({ id, ...more }) => [id, more]));
  const stops = Map.groupBy(await listStops(ctx, ids), ({ recall_id }) => recall_id);
  return rows.map((row) => ({ ...row, ...(told.get(row.id) as Described), stops: stops.get(row.id) ?? [] }));
}

type Described = Pick<ListedRecall, "name" | "title" | "digests" | "installs">;

const describeRecalls = ({ db, scope }: Here, recalls: readonly string[]) =>
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
