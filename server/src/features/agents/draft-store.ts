import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { AgentDefinition } from "./definition.ts";
import type { DraftParts } from "./draft-model.ts";

/** A draft as it is changed: name and owner go with it. */
export interface NewDraft extends DraftParts {
  readonly name: string;
  readonly owner: string;
}

/** Adds an agent; false where there is one of its name. */
export async function insertAgent(ctx: WriteContext, { name, owner, labels, definition }: NewDraft): Promise<boolean> {
  const rows = await ctx.db.query(
    `insert into agents (organization, name, description, owner, labels, draft, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (organization, name) do nothing returning name`,
    [
      ctx.scope.organization,
      name,
      definition.description,
      owner,
      labels,
      JSON.stringify(definition),
      new Date(ctx.now),
    ],
  );
  return rows.length > 0;
}

/** Changes a draft that is still at `revision` and not archived; false where it is neither. */
export async function updateDraft(
  ctx: WriteContext,
  { name, owner, labels, definition }: NewDraft,
  revision: number,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `update agents set description = $4, owner = $5, labels = $6, draft = $7, revision = revision + 1, updated_at = $8
     where organization = $1 and name = $2 and revision = $3 and archived_at is null returning name`,
    [
      ctx.scope.organization,
      name,
      revision,
      definition.description,
      owner,
      labels,
      JSON.stringify(definition),
      new Date(ctx.now),
    ],
  );
  return rows.length > 0;
}

/** What an agent's row says, kept from changing until the transaction ends. */
export interface LockedAgent {
  draft: AgentDefinition;
  revision: number;
  archived_at: Date | null;
}

/** Locks an agent that was found before: rows of agents are never deleted. */
export async function lockAgent(ctx: WriteContext, name: string): Promise<LockedAgent> {
  const rows = await ctx.db.query<LockedAgent>(
    "select draft, revision, archived_at from agents where organization = $1 and name = $2 for update",
    [ctx.scope.organization, name],
  );
  return rows[0] as LockedAgent;
}

/** Whether somebody is a member of the organization; a member is kept from being removed until the transaction ends. */
export async function isMember(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    "select id from members where organization = $1 and id = $2 and removed_at is null for share",
    [ctx.scope.organization, id],
  );
  return rows.length > 0;
}

/** Whether an agent is live in another environment than the call's. */
export async function isLiveElsewhere(ctx: CallContext & { db: Reader }, name: string): Promise<boolean> {
  const rows = await ctx.db.query(
    "select id from deployments where organization = $1 and environment <> $2 and agent = $3 and state = 'live' limit 1",
    [ctx.scope.organization, ctx.scope.environment, name],
  );
  return rows.length > 0;
}

/** Archives an agent. */
export async function setArchived(ctx: WriteContext, name: string): Promise<void> {
  await ctx.db.query(
    "update agents set archived_at = $3, archived_by = $4, updated_at = $3, revision = revision + 1 where organization = $1 and name = $2",
    [ctx.scope.organization, name, new Date(ctx.now), ctx.principal.id],
  );
}

/** A deployment that was ended. */
export interface EndedDeployment {
  id: string;
  version_number: number;
}

/** Ends what is live of an agent in the call's environment; undefined where nothing was. */
export async function endLiveDeployment(ctx: WriteContext, name: string): Promise<EndedDeployment | undefined> {
  const rows = await ctx.db.query<EndedDeployment>(
    `update deployments set state = 'ended', ended_at = $4, ended_by = $5
     where organization = $1 and environment = $2 and agent = $3 and state = 'live' returning id, version_number`,
    [ctx.scope.organization, ctx.scope.environment, name, new Date(ctx.now), ctx.principal.id],
  );
  return rows[0];
}

/** Keeps an agent from work in the call's environment; `cancel` ends its open tasks there as well. */
export async function setPause(
  ctx: WriteContext,
  name: string,
  mode: "drain" | "cancel",
  reason: string,
): Promise<void> {
  await ctx.db.query(
    `insert into agent_pauses (organization, environment, agent, mode, reason, author, created_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (organization, environment, agent)
     do update set mode = excluded.mode, reason = excluded.reason, author = excluded.author, created_at = excluded.created_at`,
    [ctx.scope.organization, ctx.scope.environment, name, mode, reason, ctx.principal.id, new Date(ctx.now)],
  );
}
