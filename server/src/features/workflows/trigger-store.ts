import type { Trigger } from "@aos/workflow";
import {
  all,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  remove,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { ensureHead } from "./event-cursor.ts";
import type { Looking } from "./plans.ts";

/** Triggers that a workflow has in an environment at most, those of its live version included. */
export const mostTriggers = 50;

export type TriggerRow = Omit<Row<"workflow_triggers">, "definition"> & { readonly definition: Trigger };
/** A trigger, and whether it can fire: it has not stopped, a version is live, and the workflow is not paused. */
export type ListedTrigger = TriggerRow & { readonly active: boolean };

const isLive = sql<boolean>`exists (select from workflow_releases r where r.organization = t.organization and r.environment = t.environment
  and r.workflow = t.workflow and r.ended_at is null)`;
const isPaused = sql<boolean>`exists (select from workflow_pauses p where p.organization = t.organization and p.environment = t.environment
  and p.workflow = t.workflow)`;

const triggers = (ctx: Looking) =>
  select(ctx, "workflow_triggers", "t")
    .selectAll("t")
    .select(sql<boolean>`t.stopped_reason is null and ${isLive} and not ${isPaused}`.as("active"));

export async function listTriggers(ctx: Looking, workflow: string, page: PageRequest): Promise<ListedTrigger[]> {
  return (await all(
    ctx,
    newestFirst(triggers(ctx).where("t.workflow", "=", workflow), "t.id", page),
  )) as ListedTrigger[];
}

export async function findTrigger(ctx: Looking, id: string): Promise<ListedTrigger | undefined> {
  if (!isId(id, "wtr")) return undefined;
  return (await first(ctx, triggers(ctx).where("t.id", "=", id))) as ListedTrigger | undefined;
}

/** The triggers that hear events and have not stopped, of workflows that are live and not paused. */
export async function hearingTriggers(ctx: Looking): Promise<TriggerRow[]> {
  const hearing = triggers(ctx).where("t.kind", "in", ["event", "hook"]);
  return ((await all(ctx, hearing.orderBy("t.id"))) as ListedTrigger[]).filter(({ active }) => active);
}

/** Triggers of a workflow, in the order in which they were made, until the transaction ends nobody else's to change. */
export async function lockTriggers(ctx: WriteContext, workflow: string): Promise<TriggerRow[]> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `triggers ${organization} ${environment} ${workflow}`,
  ]);
  const own = select(ctx, "workflow_triggers", "t").selectAll("t").where("t.workflow", "=", workflow);
  return (await all(ctx, own.orderBy("t.id").forUpdate())) as unknown as TriggerRow[];
}

type NewTrigger = Pick<TriggerRow, "id" | "workflow" | "kind" | "definition" | "origin" | "next_at"> & {
  readonly actor: Actor;
};

export async function insertTrigger(ctx: WriteContext, { actor, ...trigger }: NewTrigger): Promise<void> {
  if (trigger.kind !== "schedule") await ensureHead(ctx);
  const row = { ...trigger, ...actorColumns(actor), ...columnsOf(trigger.definition), created_at: new Date(ctx.now) };
  await all(ctx, insert(ctx, "workflow_triggers", row as unknown as NewRow<"workflow_triggers">));
}

const actorColumns = (actor: Actor) => ({ principal: actor.owner, actor: storable(actor) });

type TriggerChange = Pick<TriggerRow, "kind" | "definition" | "next_at"> & { readonly actor: Actor };

/** What a trigger of another version, or of another owner, says now. It goes on from the event up to which it has heard; one that stopped starts again. */
export async function changeTrigger(ctx: WriteContext, id: string, change: TriggerChange): Promise<void> {
  const { definition, actor, ...rest } = change;
  const started = { stopped_reason: null, stopped_at: null, last_error: null, last_error_at: null };
  const columns = {
    ...rest,
    ...started,
    ...actorColumns(actor),
    ...columnsOf(definition),
    definition: JSON.stringify(definition),
  };
  await all(ctx, update(ctx, "workflow_triggers").set(columns).where("id", "=", id));
}

/** Ends a trigger until somebody publishes or takes it over; what it had to start runs for is dropped. */
export async function stopTrigger(ctx: WriteContext, id: string, stopped_reason: string): Promise<void> {
  const ended = { stopped_reason, stopped_at: new Date(ctx.now), next_at: null };
  await all(ctx, update(ctx, "workflow_triggers").set(ended).where("id", "=", id));
  await all(ctx, remove(ctx, "workflow_firings").where("trigger_id", "=", id));
}

export async function removeTriggers(ctx: WriteContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await all(ctx, remove(ctx, "workflow_firings").where("trigger_id", "in", ids));
  await all(ctx, remove(ctx, "workflow_triggers").where("id", "in", ids));
}

const columnsOf = (definition: Trigger) => ({
  event_type: "event" in definition ? definition.event : null,
  hook: "hook" in definition ? definition.hook : null,
});

export const kindOf = (definition: Trigger): "schedule" | "event" | "hook" =>
  "schedule" in definition ? "schedule" : "event" in definition ? "event" : "hook";

/** Whether triggers of a workflow fire in the environment: a version is live, and it is not paused. */
export async function isActive({ scope, db }: Looking, workflow: string): Promise<boolean> {
  const rows = await db.query<{ active: boolean }>(
    `select exists (select from workflow_releases where organization = $1 and environment = $2 and workflow = $3 and ended_at is null)
       and not exists (select from workflow_pauses where organization = $1 and environment = $2 and workflow = $3) as active`,
    [scope.organization, scope.environment, workflow],
  );
  return rows[0]?.active === true;
}
