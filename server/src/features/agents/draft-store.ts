import { first, insert, type Row, select, sql, update } from "../../db/scoped.ts";
import { type Decider, decidersOf, storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { AgentDefinition } from "./definition.ts";
import type { DraftParts } from "./draft-model.ts";

/** A draft with the name and the owner of its agent. */
export interface NewDraft extends DraftParts {
  readonly name: string;
  readonly owner: string;
}

/** The name of an agent's draft among what people decide. */
export const draftObject = (agent: string): string => `agent:${agent}`;

/** The columns of a draft. The only place that makes `draft`, so that no change of it forgets who made it: the caller, besides the deciders before. */
function stored(ctx: WriteContext, { name, owner, labels, definition }: NewDraft, before: readonly Decider[]) {
  const deciders = unite(before, decidersOf(ctx, "agent", draftObject(name)));
  return {
    owner,
    labels,
    description: definition.description,
    draft: JSON.stringify(definition),
    draft_deciders: storableDeciders(deciders),
    updated_at: new Date(ctx.now),
  };
}

/** Adds an agent; false if its name is taken. `source`: who decided what it is a copy of. */
export async function insertAgent(
  ctx: WriteContext,
  draft: NewDraft,
  source: readonly Decider[] = [],
): Promise<boolean> {
  const row = { name: draft.name, ...stored(ctx, draft, source), created_at: new Date(ctx.now) };
  const added = insert(ctx, "agents", row).onConflict((conflict) =>
    conflict.columns(["organization", "name"]).doNothing(),
  );
  return (await first(ctx, added.returning("name"))) !== undefined;
}

const updateAgent = (ctx: WriteContext, name: string) =>
  update(ctx, "agents").where("name", "=", name).set({ revision: sql<number>`revision + 1` });

/** Changes a draft; false if it changed since it was read, or was archived. */
export async function updateDraft(
  ctx: WriteContext,
  draft: NewDraft,
  { revision, draft_deciders }: Pick<Row<"agents">, "revision" | "draft_deciders">,
): Promise<boolean> {
  const columns = stored(ctx, draft, storedDeciders(draft_deciders));
  const changed = updateAgent(ctx, draft.name).set(columns).where("revision", "=", revision);
  return (await first(ctx, changed.where("archived_at", "is", null).returning("name"))) !== undefined;
}

/** Changes what belongs to the agent and not to its definition; false if it changed since it was read, or was archived. */
export async function updateLabels(
  ctx: WriteContext,
  { name, owner, labels }: Omit<NewDraft, "definition">,
  revision: number,
): Promise<boolean> {
  const columns = { owner, labels, updated_at: new Date(ctx.now) };
  const changed = updateAgent(ctx, name).set(columns).where("revision", "=", revision);
  return (await first(ctx, changed.where("archived_at", "is", null).returning("name"))) !== undefined;
}

/** Takes the deciders of a draft for the version that is frozen of it; the caller has locked the agent. */
export async function takeDraftDeciders(ctx: WriteContext, name: string): Promise<readonly Decider[]> {
  const draft = select(ctx, "agents", "a").select("a.draft_deciders").where("a.name", "=", name);
  const deciders = storedDeciders((await first(ctx, draft))?.draft_deciders);
  await first(ctx, update(ctx, "agents").set({ draft_deciders: null }).where("name", "=", name));
  return deciders;
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
