import { agentNamePattern } from "../../kernel/agent-name.ts";
import type { CallContext, ReadContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Agent, AgentDefinition } from "./schemas.ts";

/** An agent as it is stored, with what is live of it in the environment of the call, and whether it is paused there. */
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

/** One agent of the organization, as it stands in the call's environment. */
export async function findAgent(ctx: CallContext & { db: Reader }, name: string): Promise<AgentRow | undefined> {
  return possibleName.test(name) ? ctx.db.load(agentByName, ctx.scope, name) : undefined;
}

/** The agent as this call has left it. The loader would answer what it read before. */
export async function readAgentAgain(ctx: CallContext & { db: Reader }, name: string): Promise<AgentRow> {
  const [row] = await ctx.db.query<AgentRow>(`select h.* from (${agentsHere}) h where h.name = $3`, [
    ctx.scope.organization,
    ctx.scope.environment,
    name,
  ]);
  return row as AgentRow;
}

export interface AgentFilter {
  readonly status?: Agent["status"][];
  readonly label?: string;
  readonly owner?: string;
}

/** A page of agents, newest first, ties by name. A key that is narrowed to agents sees those only. */
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
