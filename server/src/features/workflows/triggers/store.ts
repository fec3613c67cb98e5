import type { Trigger } from "@aos/workflow";
import { all, remove, select, sql } from "../../../db/scoped.ts";
import { type Actor, storable } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { ensureHead } from "./event-store.ts";
import { activeTrigger, type ListedTrigger, type TriggerRow, triggers } from "./resource.ts";

/** Per workflow and environment, those of its live version included. */
export const mostTriggers = 50;

/** Active triggers by event. */
export const hearingTriggers = (ctx: QueryContext): Promise<TriggerRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_triggers", "r")
      .selectAll("r")
      .where("r.kind", "in", ["event", "hook"])
      .where(sql.raw<boolean>(activeTrigger))
      .orderBy("r.id")
      .$castTo<TriggerRow>(),
  );

/** Locks and returns the triggers of a workflow, oldest first. */
export async function lockTriggers(ctx: WriteContext, workflow: string): Promise<TriggerRow[]> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `triggers ${organization} ${environment} ${workflow}`,
  ]);
  const own = select(ctx, "workflow_triggers", "t").selectAll("t").where("t.workflow", "=", workflow);
  return all(ctx, own.orderBy("t.id").forUpdate().$castTo<TriggerRow>());
}

type TriggerChange = Pick<TriggerRow, "kind" | "definition" | "next_at"> & { readonly actor: Actor };
type NewTrigger = Pick<TriggerRow, "id" | "workflow" | "origin"> & TriggerChange;

const columnsOf = ({ definition, actor, ...rest }: TriggerChange) => ({
  ...rest,
  definition,
  event_type: "event" in definition ? definition.event : null,
  hook: "hook" in definition ? definition.hook : null,
  principal: actor.owner,
  actor: storable(actor),
});

export async function insertTrigger(
  ctx: WriteContext,
  { id, workflow, origin, ...trigger }: NewTrigger,
): Promise<ListedTrigger> {
  if (trigger.kind !== "schedule") await ensureHead(ctx);
  return triggers.rows.insert(ctx, { id, workflow, origin, ...columnsOf(trigger), created_at: new Date(ctx.now) });
}

/** Replaces the definition or owner of a trigger. It continues from the last event it has seen; a stopped trigger starts again. */
export async function changeTrigger(ctx: WriteContext, id: string, change: TriggerChange): Promise<void> {
  const started = { stopped_reason: null, stopped_at: null, last_error: null, last_error_at: null };
  await triggers.rows.update(ctx, id, { ...started, ...columnsOf(change) });
}

/** Stops a trigger until somebody publishes or takes it over, and drops its pending firings. */
export async function stopTrigger(ctx: WriteContext, id: string, stopped_reason: string): Promise<void> {
  await triggers.rows.update(ctx, id, { stopped_reason, stopped_at: new Date(ctx.now), next_at: null });
  await all(ctx, remove(ctx, "workflow_firings").where("trigger_id", "=", id));
}

export async function removeTriggers(ctx: WriteContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await all(ctx, remove(ctx, "workflow_firings").where("trigger_id", "in", ids));
  await all(ctx, remove(ctx, "workflow_triggers").where("id", "in", ids));
}

export const kindOf = (definition: Trigger): TriggerRow["kind"] =>
  "schedule" in definition ? "schedule" : "event" in definition ? "event" : "hook";

/** Whether a version of the workflow is live here and not paused. */
export async function isActive({ scope, db }: QueryContext, workflow: string): Promise<boolean> {
  const rows = await db.query<{ active: boolean }>(
    `select exists (select from workflow_releases where organization = $1 and environment = $2 and workflow = $3 and ended_at is null)
       and not exists (select from workflow_pauses where organization = $1 and environment = $2 and workflow = $3) as active`,
    [scope.organization, scope.environment, workflow],
  );
  return rows[0]?.active === true;
}
