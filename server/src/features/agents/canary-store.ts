import { all, first, insert, sql, update } from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { lowestId } from "../../kernel/ids.ts";
import type { CanaryRule, DeploymentOutcome } from "./canary-schemas.ts";
import { type DeploymentRow, deploymentsOf, deploymentsWhere, type NewDeployment } from "./deployment-store.ts";

type Here = CallContext & { readonly db: Reader };

/** Tasks from the id `since` on were drawn by `share`. */
export interface Stage {
  readonly share: number;
  readonly since: string;
}

/** The canary that runs; while the agent's row is locked, none begins or ends. */
export const findCanary = (ctx: Here, agent: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.state", "=", "canary"));

export const findDeployment = (ctx: Here, agent: string, id: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.id", "=", id));

export const ruleOf = ({ rule }: Pick<DeploymentRow, "rule">): CanaryRule => JSON.parse(rule ?? "{}") as CanaryRule;
export const stagesOf = ({ stages }: Pick<DeploymentRow, "stages">): Stage[] => JSON.parse(stages ?? "[]") as Stage[];

/** Begins a canary beside the live deployment; the caller has locked the agent's row. */
export async function startCanary(
  ctx: WriteContext,
  live: DeploymentRow,
  fresh: NewDeployment & { readonly share: number; readonly rule: CanaryRule },
): Promise<void> {
  const { id, agent, version, kind, note, gate, share, rule, actor, deciders } = fresh;
  const row = {
    id,
    agent,
    version_number: version,
    kind,
    note,
    gate,
    share,
    author: ctx.principal.id,
    actor,
    deciders,
  };
  const stages = JSON.stringify([{ share, since: lowestId("tsk", ctx.now) } satisfies Stage]);
  const canary = { state: "canary" as const, mode: "canary" as const, rule: JSON.stringify(rule), stages };
  await all(ctx, insert(ctx, "deployments", { ...row, ...canary, stable: live.id, created_at: new Date(ctx.now) }));
}

const changed = { revision: sql<number>`revision + 1` };

/** From now on, tasks are drawn by another share. `deciders`: as the row keeps them. */
export async function changeShare(
  ctx: WriteContext,
  canary: DeploymentRow,
  share: number,
  deciders: string | null,
): Promise<void> {
  const stages = JSON.stringify([...stagesOf(canary), { share, since: lowestId("tsk", ctx.now) } satisfies Stage]);
  await all(
    ctx,
    update(ctx, "deployments")
      .set({ share, stages, deciders, ...changed })
      .where("id", "=", canary.id),
  );
}

/** Keeps the rule of a canary from promoting it, until somebody takes it over. */
export async function holdCanary(ctx: WriteContext, id: string, stopped_reason: string): Promise<void> {
  const stopped = { stopped_reason, stopped_at: new Date(ctx.now), ...changed };
  await all(ctx, update(ctx, "deployments").set(stopped).where("id", "=", id));
}

/** Gives a canary another owner, in whose name its rule goes on. */
export async function takeCanary(ctx: WriteContext, id: string, actor: Actor): Promise<void> {
  const taken = { actor: storable(actor), stopped_reason: null, stopped_at: null, ...changed };
  await all(ctx, update(ctx, "deployments").set(taken).where("id", "=", id));
}

/** A canary that runs, by its id alone. */
export const findRunningCanary = (ctx: Here, id: string) =>
  first<DeploymentRow>(ctx, deploymentsWhere(ctx).where("d.id", "=", id).where("d.state", "=", "canary"));

/** Ends a canary or a shadow: no task is drawn for it any more. */
export async function endBeside(
  ctx: WriteContext,
  row: DeploymentRow,
  end: { readonly outcome: DeploymentOutcome; readonly reason: string; readonly by?: string },
): Promise<void> {
  const ended = { ended_at: new Date(ctx.now), ended_by: ctx.principal.id, ended_for: end.by ?? null };
  const { outcome, reason } = end;
  const set = { state: "ended" as const, outcome, reason, ...ended, ...changed };
  await all(ctx, update(ctx, "deployments").set(set).where("id", "=", row.id));
}
