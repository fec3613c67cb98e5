import { first, insert, type Row, select, sql, update } from "../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { AgentDefinition } from "./definition.ts";
import type { DraftParts } from "./draft-model.ts";

/** A draft with the name and the owner of its agent. */
export interface NewDraft extends DraftParts {
  readonly name: string;
  readonly owner: string;
}

const stored = ({ owner, labels, definition }: NewDraft, now: number) => ({
  owner,
  labels,
  description: definition.description,
  draft: JSON.stringify(definition),
  updated_at: new Date(now),
});

/** Adds an agent; false if its name is taken. */
export async function insertAgent(ctx: WriteContext, draft: NewDraft): Promise<boolean> {
  const row = { name: draft.name, ...stored(draft, ctx.now), created_at: new Date(ctx.now) };
  const added = insert(ctx, "agents", row).onConflict((conflict) =>
    conflict.columns(["organization", "name"]).doNothing(),
  );
  return (await first(ctx, added.returning("name"))) !== undefined;
}

const updateAgent = (ctx: WriteContext, name: string) =>
  update(ctx, "agents").where("name", "=", name).set({ revision: sql<number>`revision + 1` });

/** Changes a draft; false if it is not at `revision` any more, or archived. */
export async function updateDraft(ctx: WriteContext, draft: NewDraft, revision: number): Promise<boolean> {
  const changed = updateAgent(ctx, draft.name).set(stored(draft, ctx.now)).where("revision", "=", revision);
  return (await first(ctx, changed.where("archived_at", "is", null).returning("name"))) !== undefined;
}

export type LockedAgent = Pick<Row<"agents">, "revision" | "archived_at"> & { draft: AgentDefinition };

/** Locks an agent that was found before: rows of agents are never deleted. */
export async function lockAgent(ctx: WriteContext, name: string): Promise<LockedAgent> {
  const agent = select(ctx, "agents", "a")
    .select(["a.draft", "a.revision", "a.archived_at"])
    .where("a.name", "=", name);
  return (await first(ctx, agent.forUpdate())) as LockedAgent;
}

/** Whether somebody is a member of the organization; keeps the member from being removed until the transaction ends. */
export async function isMember(ctx: WriteContext, id: string): Promise<boolean> {
  const member = select(ctx, "members", "m").select("m.id").where("m.id", "=", id).where("m.removed_at", "is", null);
  return (await first(ctx, member.forShare())) !== undefined;
}

/** Whether an agent is live in another environment than the call's. */
export async function isLiveElsewhere(ctx: CallContext & { db: Reader }, name: string): Promise<boolean> {
  const rows = await ctx.db.query(
    "select id from deployments where organization = $1 and environment <> $2 and agent = $3 and state = 'live' limit 1",
    [ctx.scope.organization, ctx.scope.environment, name],
  );
  return rows.length > 0;
}

export async function setArchived(ctx: WriteContext, name: string): Promise<void> {
  const now = new Date(ctx.now);
  await first(ctx, updateAgent(ctx, name).set({ archived_at: now, archived_by: ctx.principal.id, updated_at: now }));
}

/** Ends the live deployment in the call's environment, if any. */
export async function endLiveDeployment(ctx: WriteContext, name: string) {
  const ended = update(ctx, "deployments").set({
    state: "ended",
    ended_at: new Date(ctx.now),
    ended_by: ctx.principal.id,
  });
  const live = ended.where("agent", "=", name).where("state", "=", "live");
  return first(ctx, live.returning(["id", "version_number"]));
}

/** Pauses an agent in the call's environment; `cancel` ends its open tasks there as well. */
export async function setPause(ctx: WriteContext, agent: string, mode: "drain" | "cancel", reason: string) {
  const pause = { mode, reason, author: ctx.principal.id, created_at: new Date(ctx.now) };
  await first(
    ctx,
    insert(ctx, "agent_pauses", { agent, ...pause }).onConflict((conflict) =>
      conflict.columns(["organization", "environment", "agent"]).doUpdateSet(pause),
    ),
  );
}

/** Ends what dispatches tasks of an agent again and again, in every environment. */
export async function endSchedules({ db, scope }: WriteContext, agent: string): Promise<void> {
  const values = [scope.organization, agent];
  await db.query(
    `delete from agent_schedule_runs r using agent_schedules s where s.organization = $1 and s.agent = $2
       and r.organization = s.organization and r.environment = s.environment and r.schedule = s.id`,
    values,
  );
  await db.query("delete from agent_schedules where organization = $1 and agent = $2", values);
}
