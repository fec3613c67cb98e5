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
} from "../../db/scoped.ts";
import { type Actor, type Decider, storable, storableDeciders } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Autonomy, Measure, MissionStatus } from "./schemas.ts";

/** A scope and a handle: contexts of calls are such, and jobs make one. */
export interface Here {
  readonly scope: Scope;
  readonly db: Statements;
}

/** A mission as it is stored. `inputs` is JSON. */
export interface MissionRow extends Omit<Row<"missions">, "measure" | "autonomy" | "status" | "outcome"> {
  readonly measure: Measure;
  readonly autonomy: Autonomy;
  readonly status: MissionStatus;
  readonly outcome: { readonly result: "reached" | "missed" | "abandoned"; readonly note: string } | null;
}

const missions = (ctx: Here) => select(ctx, "missions", "m").selectAll().$castTo<MissionRow>();

/** A mission of the call's environment. */
export async function findMission(ctx: Here, id: string): Promise<MissionRow | undefined> {
  return isId(id, "msn") ? first(ctx, missions(ctx).where("m.id", "=", id)) : undefined;
}

/** The mission, locked until the transaction ends: what its tasks reserve goes by it one after the other. */
export const lockMission = async (ctx: WriteContext, id: string): Promise<MissionRow> =>
  (await first(ctx, missions(ctx).where("m.id", "=", id).forUpdate())) as MissionRow;

/** A page of missions, newest first. A key that is narrowed to agents sees those that use no others. */
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

/** Stores a mission in the name of an actor. `deciders`: of its goal and inputs. */
export async function insertMission(
  ctx: WriteContext,
  { actor, deciders }: { readonly actor: Actor; readonly deciders: readonly Decider[] },
  row: Omit<NewRow<"missions">, "created_by" | "created_at" | "updated_at" | "actor" | "deciders">,
): Promise<void> {
  const now = new Date(ctx.now);
  const acts = { actor: storable(actor), deciders: storableDeciders(deciders), created_by: actor.owner };
  await all(ctx, insert(ctx, "missions", { ...row, ...acts, created_at: now, updated_at: now }));
}

/** Changes a mission. `revised`: what people set of it changed. */
export async function updateMission(
  ctx: WriteContext,
  id: string,
  changes: Changes<"missions">,
  { revised = false }: { readonly revised?: boolean } = {},
): Promise<void> {
  await all(
    ctx,
    update(ctx, "missions")
      .set({ ...changes, updated_at: new Date(ctx.now) })
      .$if(revised, (q) => q.set((m) => ({ revision: m("revision", "+", 1) })))
      .where("id", "=", id),
  );
}

/** An entry of the timeline. */
export interface Happening {
  readonly kind: string;
  readonly text: string;
  readonly step?: string;
  readonly run?: string;
}

/** Adds to the timeline what the caller did; the service itself has no actor. */
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
