import {
  first,
  insert,
  type Row,
  readWritten,
  remove,
  type Statement,
  select,
  sql,
  update,
} from "../../../db/scoped.ts";
import { type Decider, decidersOf, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import { agentNamePattern } from "../../../kernel/agent-name.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader, type QueryContext, type Reader } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import type { DraftParts } from "./rules.ts";
import type { Agent, AgentDefinition } from "./schemas.ts";

/** An agent with its live deployment and pause in the environment of the call. */
export interface AgentRow {
  name: string;
  description: string;
  owner: string;
  labels: string[];
  draft: AgentDefinition;
  revision: number;
  /** Who changed the draft since the newest version was frozen. */
  draft_deciders: unknown;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
  /** Microseconds since the epoch: the sort key of lists, which a Date would round. */
  created_us: number;
  deployment_id: string | null;
  deployed_at: Date | null;
  version_number: number | null;
  version_id: string | null;
  pause_mode: "drain" | "cancel" | null;
  pause_reason: string | null;
  paused_by: string | null;
  paused_at: Date | null;
}

/** What policies see of a call on an agent. */
export const seenAgent = (_ctx: CallContext, { loaded: { name, labels } }: { loaded: AgentRow }) => ({
  agent: { name, labels },
});

/** Takes organization ($1) and environment ($2). */
const agentsHere = `
  select a.name, a.description, a.owner, a.labels, a.draft, a.revision, a.draft_deciders, a.created_at, a.updated_at, a.archived_at,
    (extract(epoch from a.created_at) * 1000000)::bigint as created_us,
    d.id as deployment_id, d.created_at as deployed_at, v.number as version_number, v.id as version_id,
    p.mode as pause_mode, p.reason as pause_reason, p.author as paused_by, p.created_at as paused_at,
    case when a.archived_at is not null then 'archived' when d.id is not null then 'deployed' else 'draft' end as status
  from agents a
  left join deployments d on d.organization = a.organization and d.environment = $2 and d.agent = a.name and d.state = 'live'
  left join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
  left join agent_pauses p on p.organization = a.organization and p.environment = $2 and p.agent = a.name
  where a.organization = $1`;

const agentByName = defineLoader<AgentRow>(
  "agent by name",
  `select h.name as loader_key, h.* from (${agentsHere}) h where h.name = any($3::text[])`,
);
const possibleName = new RegExp(agentNamePattern);

export async function findAgent(ctx: CallContext & { db: Reader }, name: string): Promise<AgentRow | undefined> {
  return possibleName.test(name) ? ctx.db.load(agentByName, ctx.scope, name) : undefined;
}

/** Changes an agent's row, or its pause, and returns the agent as it then is; undefined where nothing was changed of its row. */
async function agentWritten(
  ctx: WriteContext,
  name: string,
  table: "agents" | "agent_pauses",
  write: Statement,
): Promise<AgentRow | undefined> {
  const { organization, environment } = ctx.scope;
  const view = `select h.* from (${agentsHere}) h where h.name = $3`;
  return (
    await readWritten<AgentRow>(ctx, table, write, { sql: view, parameters: [organization, environment, name] })
  )[0];
}

interface AgentFilter {
  readonly status?: Agent["status"][];
  readonly label?: string;
  readonly owner?: string;
}

/** Newest first, ties by name; a narrowed key sees its agents only. */
export async function listAgents(ctx: ReadContext, filter: AgentFilter, page: PageRequest): Promise<AgentRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["true"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `h.status = any(${p}::text[])`, filter.status);
  and((p) => `${p} = any(h.labels)`, filter.label);
  and((p) => `h.owner = ${p}`, filter.owner);
  and((p) => `h.name = any(${p}::text[])`, ctx.principal.agents);
  if (page.after) {
    values.push(page.after.keys[0], page.after.id);
    where.push(`(h.created_us, h.name) < ($${values.length - 1}::bigint, $${values.length})`);
  }
  values.push(page.take);
  return ctx.db.query<AgentRow>(
    `select h.* from (${agentsHere}) h where ${where.join(" and ")} order by h.created_us desc, h.name desc limit $${values.length}`,
    values,
  );
}

export interface NewDraft extends DraftParts {
  readonly name: string;
  readonly owner: string;
}

/** Names an agent's draft in confirmations. */
export const draftObject = (agent: string): string => `agent:${agent}`;

/** The one place that makes `draft`: it adds the caller to the deciders. */
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

/** Undefined if the name is taken. `source`: the deciders of what is copied. */
export async function insertAgent(
  ctx: WriteContext,
  draft: NewDraft,
  source: readonly Decider[] = [],
): Promise<AgentRow | undefined> {
  const row = { name: draft.name, ...stored(ctx, draft, source), created_at: new Date(ctx.now) };
  const added = insert(ctx, "agents", row).onConflict((conflict) =>
    conflict.columns(["organization", "name"]).doNothing(),
  );
  return agentWritten(ctx, draft.name, "agents", added.returningAll().compile());
}

const updateAgent = (ctx: WriteContext, name: string) =>
  update(ctx, "agents").where("name", "=", name).set({ revision: sql<number>`revision + 1` });

/** Undefined if it changed meanwhile or was archived. */
export async function updateDraft(
  ctx: WriteContext,
  draft: NewDraft,
  { revision, draft_deciders }: Pick<Row<"agents">, "revision" | "draft_deciders">,
): Promise<AgentRow | undefined> {
  const columns = stored(ctx, draft, storedDeciders(draft_deciders));
  const changed = updateAgent(ctx, draft.name).set(columns).where("revision", "=", revision);
  return agentWritten(ctx, draft.name, "agents", changed.where("archived_at", "is", null).returningAll().compile());
}

/** For what belongs to the agent rather than its definition; undefined if it changed meanwhile or was archived. */
export async function updateLabels(
  ctx: WriteContext,
  { name, owner, labels }: Omit<NewDraft, "definition">,
  revision: number,
): Promise<AgentRow | undefined> {
  const columns = { owner, labels, updated_at: new Date(ctx.now) };
  const changed = updateAgent(ctx, name).set(columns).where("revision", "=", revision);
  return agentWritten(ctx, name, "agents", changed.where("archived_at", "is", null).returningAll().compile());
}

/** Takes the deciders of a draft for its next version; the caller has locked the agent. */
export async function takeDraftDeciders(ctx: WriteContext, name: string): Promise<readonly Decider[]> {
  const draft = select(ctx, "agents", "a").select("a.draft_deciders").where("a.name", "=", name);
  const deciders = storedDeciders((await first(ctx, draft))?.draft_deciders);
  await first(ctx, update(ctx, "agents").set({ draft_deciders: null }).where("name", "=", name));
  return deciders;
}

type LockedAgent = Pick<Row<"agents">, "revision" | "archived_at"> & { draft: AgentDefinition };

/** Rows of agents are never deleted. */
export async function lockAgent(ctx: WriteContext, name: string): Promise<LockedAgent> {
  const agent = select(ctx, "agents", "a")
    .select(["a.draft", "a.revision", "a.archived_at"])
    .where("a.name", "=", name);
  return (await first(ctx, agent.forUpdate())) as LockedAgent;
}

/** Keeps the member from being removed until the transaction ends. */
export async function isMember(ctx: WriteContext, id: string): Promise<boolean> {
  const member = select(ctx, memberRows, "m").select("m.id").where("m.id", "=", id).where("m.removed_at", "is", null);
  return (await first(ctx, member.forShare())) !== undefined;
}

/** Whether the agent is live in another environment. */
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

/** Ends the live deployment in the environment, if any. */
export async function endLiveDeployment(ctx: WriteContext, name: string) {
  const ended = update(ctx, "deployments").set({
    state: "ended",
    ended_at: new Date(ctx.now),
    ended_by: ctx.principal.id,
  });
  const live = ended.where("agent", "=", name).where("state", "=", "live");
  return first(ctx, live.returning(["id", "version_number"]));
}

/** `cancel` also ends the open tasks in the environment. The caller has locked the agent. */
export async function setPause(
  ctx: WriteContext,
  agent: string,
  mode: "drain" | "cancel",
  reason: string,
): Promise<AgentRow> {
  const pause = { mode, reason, author: ctx.principal.id, created_at: new Date(ctx.now) };
  const put = insert(ctx, "agent_pauses", { agent, ...pause }).onConflict((conflict) =>
    conflict.columns(["organization", "environment", "agent"]).doUpdateSet(pause),
  );
  return (await agentWritten(ctx, agent, "agent_pauses", put.returningAll().compile())) as AgentRow;
}

/** Undefined if the agent was not paused. The caller has locked the agent. */
export async function endPause(ctx: WriteContext, agent: string): Promise<AgentRow | undefined> {
  const ended = remove(ctx, "agent_pauses").where("agent", "=", agent).returningAll().compile();
  const row = await agentWritten(ctx, agent, "agent_pauses", ended); // shows the pause that was
  if (!row || row.pause_mode === null) return undefined;
  return { ...row, pause_mode: null, pause_reason: null, paused_by: null, paused_at: null };
}

/** Deletes the agent's schedules in every environment. */
export async function endSchedules({ db, scope }: WriteContext, agent: string): Promise<void> {
  const values = [scope.organization, agent];
  await db.query(
    `delete from agent_schedule_runs r using agent_schedules s where s.organization = $1 and s.agent = $2
       and r.organization = s.organization and r.environment = s.environment and r.schedule = s.id`,
    values,
  );
  await db.query(`delete from agent_schedules where organization = $1 and agent = $2`, values);
}

/** Also ends the pause that archiving set in every environment: both have the same time. */
export async function setRestored(ctx: WriteContext, name: string, archivedAt: Date): Promise<AgentRow> {
  await ctx.db.query("delete from agent_pauses where organization = $1 and agent = $2 and created_at = $3", [
    ctx.scope.organization,
    name,
    archivedAt,
  ]);
  const restored = updateAgent(ctx, name).set({ archived_at: null, archived_by: null, updated_at: new Date(ctx.now) });
  return (await agentWritten(ctx, name, "agents", restored.returningAll().compile())) as AgentRow;
}

/** The caller has locked the agent. */
export async function setOwner(ctx: WriteContext, name: string, owner: string): Promise<AgentRow> {
  const changed = updateAgent(ctx, name).set({ owner, updated_at: new Date(ctx.now) });
  return (await agentWritten(ctx, name, "agents", changed.returningAll().compile())) as AgentRow;
}

// Knowledge bases and connections that drafts and versions name.

/** Archived agents use nothing: none of their versions is deployed again. `$1` is the organization. */
const uses = `
  select a.name as agent, u.kind, u.name
  from agents a
  cross join lateral (
    select a.draft as definition
    union all select v.definition from agent_versions v where v.organization = a.organization and v.agent = a.name) d
  cross join lateral (
    select 'base' as kind, k.name from jsonb_array_elements_text(coalesce(d.definition -> 'knowledge', '[]')) k(name)
    union all select 'connection', d.definition -> 'model' ->> 'connection'
    union all select x.kind, x.name from jsonb_array_elements(coalesce(d.definition -> 'tools', '[]')) t(tool)
      cross join lateral (
        select 'base' as kind, t.tool ->> 'base' as name
        union all select 'connection', t.tool ->> 'connection'
        union all select 'base', b.name from jsonb_array_elements_text(coalesce(t.tool -> 'bases', '[]')) b(name)) x) u
  where a.organization = $1 and a.archived_at is null and u.name is not null`;

export async function agentsNaming(ctx: QueryContext, base: string): Promise<string[]> {
  const rows = await ctx.db.query<{ agent: string }>(
    `select distinct agent from (${uses}) n where kind = 'base' and name = $2`,
    [ctx.scope.organization, base],
  );
  return rows.map(({ agent }) => agent);
}

async function namesOf(ctx: QueryContext, kind: "base" | "connection", agents: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.query<{ name: string }>(
    `select distinct name from (${uses} and a.name = any($2::text[])) n where kind = $3`,
    [ctx.scope.organization, agents, kind],
  );
  return rows.map(({ name }) => name);
}

/** The knowledge bases that a narrowed key may see: those that its agents name. Null: the key is not narrowed. */
export async function basesWithin(ctx: QueryContext & Pick<CallContext, "principal">): Promise<string[] | null> {
  const { agents } = ctx.principal;
  return agents && namesOf(ctx, "base", agents);
}

type Members = Partial<Pick<AgentDefinition, "model" | "tools">> & { readonly knowledge?: readonly string[] | null };

/** `agents` where all bases and connections that members of a definition name are named by the key's agents already; else null. */
export async function namesWithin(
  ctx: QueryContext & Pick<CallContext, "principal">,
  agents: readonly string[],
  { model, tools = [], knowledge }: Members,
): Promise<readonly string[] | null> {
  const { agents: own } = ctx.principal;
  if (own === null) return agents;
  const bases = basesOf({ tools, knowledge: knowledge ?? null });
  const connections = [model, ...tools].flatMap((part) =>
    part && "connection" in part && part.connection ? [part.connection] : [],
  );
  const all = async (kind: "base" | "connection", names: readonly string[]): Promise<boolean> => {
    if (names.length === 0) return true;
    const known = new Set(await namesOf(ctx, kind, own));
    return names.every((name) => known.has(name));
  };
  return (await all("base", bases)) && (await all("connection", connections)) ? agents : null;
}

export function basesOf({ tools, knowledge }: Pick<Members, "tools" | "knowledge">): readonly string[] {
  return [...(knowledge ?? []), ...(tools ?? []).flatMap(basesOfTool)];
}

function basesOfTool(tool: AgentDefinition["tools"][number]): readonly string[] {
  if (tool.kind === "record") return [tool.base];
  return tool.kind === "search" ? (tool.bases ?? []) : [];
}
