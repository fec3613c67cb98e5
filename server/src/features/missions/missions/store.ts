import {
  all,
  type Changes,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  select,
  sql,
  update,
} from "../../../db/scoped.ts";
import { type Actor, type Decider, storable, storableDeciders } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { DependentSource } from "../../agents/public.ts";
import type { Autonomy, Measure, MissionStatus } from "../schemas.ts";

/** `inputs` is JSON. */
export interface MissionRow extends Omit<Row<"missions">, "measure" | "autonomy" | "status" | "outcome"> {
  readonly measure: Measure;
  readonly autonomy: Autonomy;
  readonly status: MissionStatus;
  readonly outcome: { readonly result: "reached" | "missed" | "abandoned"; readonly note: string } | null;
}

export const missionJson = storedJson<{ inputs: Record<string, unknown> }>();

const missions = (ctx: QueryContext) => select(ctx, "missions", "m").selectAll().$castTo<MissionRow>();

export async function findMission(ctx: QueryContext, id: string): Promise<MissionRow | undefined> {
  return isId(id, "msn") ? first(ctx, missions(ctx).where("m.id", "=", id)) : undefined;
}

/** Locks the mission: reservations for its tasks are serialized by it. */
export const lockMission = async (ctx: WriteContext, id: string): Promise<MissionRow> =>
  (await first(ctx, missions(ctx).where("m.id", "=", id).forUpdate())) as MissionRow;

/** A page of missions, newest first. A key that is narrowed to agents sees missions that use only those. */
export function listMissionRows(
  ctx: ReadContext,
  filter: { readonly status?: readonly MissionStatus[]; readonly agent?: string; readonly label?: string },
  page: PageRequest,
): Promise<MissionRow[]> {
  const { agents } = ctx.principal;
  const { status, agent, label } = filter;
  const query = missions(ctx)
    .$if(agents !== null, (q) => q.where("m.agents", "<@", sql<string[]>`${agents}::text[]`))
    .$if(status !== undefined, (q) => q.where("m.status", "in", status ?? []))
    .$if(agent !== undefined, (q) => q.where(sql<boolean>`${agent ?? ""} = any(m.agents)`))
    .$if(label !== undefined, (q) => q.where(sql<boolean>`${label ?? ""} = any(m.labels)`));
  return all(ctx, newestFirst(query, "m.id", page));
}

/** Stores a mission in an actor's name. `deciders`: of its goal and inputs. */
export async function insertMission(
  ctx: WriteContext,
  { actor, deciders }: { readonly actor: Actor; readonly deciders: readonly Decider[] },
  row: Omit<NewRow<"missions">, "created_by" | "created_at" | "updated_at" | "actor" | "deciders">,
): Promise<MissionRow> {
  const now = new Date(ctx.now);
  const acts = { actor: storable(actor), deciders: storableDeciders(deciders), created_by: actor.owner };
  const added = insert(ctx, "missions", { ...row, ...acts, created_at: now, updated_at: now });
  return (await first(ctx, added.returningAll())) as MissionRow;
}

/** `revised`: settings changed, so its revision does. */
export async function updateMission(
  ctx: WriteContext,
  id: string,
  changes: Changes<"missions">,
  { revised = false }: { readonly revised?: boolean } = {},
): Promise<MissionRow> {
  const changed = update(ctx, "missions")
    .set({ ...changes, updated_at: new Date(ctx.now) })
    .$if(revised, (q) => q.set((m) => ({ revision: m("revision", "+", 1) })))
    .where("id", "=", id);
  return (await first(ctx, changed.returningAll())) as MissionRow;
}

export interface Happening {
  readonly kind: string;
  readonly text: string;
  readonly step?: string;
  readonly run?: string;
}

/** Adds the caller's act to the timeline; the service itself has no actor. */
export async function addToTimeline(
  ctx: WriteContext,
  mission: string,
  { kind, text, step, run }: Happening,
): Promise<void> {
  const actor = ctx.principal.kind === "system" ? null : ctx.principal.id;
  const places = { step: step ?? null, run_id: run ?? null };
  await all(
    ctx,
    insert(ctx, "mission_events", {
      id: ctx.newId("mev"),
      mission,
      kind,
      text,
      actor,
      ...places,
      at: new Date(ctx.now),
    }),
  );
}

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
