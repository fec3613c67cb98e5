import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { AgentDefinition } from "./definition.ts";

// What agents use beyond themselves: the knowledge bases and connections that their drafts and versions name.

type Looking = Pick<CallContext, "scope"> & { readonly db: Pick<Statements, "query"> };

/** Names by agent, with repetitions. Archived agents use nothing: no version of theirs is deployed again. `$1` is the organization. */
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

/** The agents that name a knowledge base. */
export async function agentsNaming(ctx: Looking, base: string): Promise<string[]> {
  const rows = await ctx.db.query<{ agent: string }>(
    `select distinct agent from (${uses}) n where kind = 'base' and name = $2`,
    [ctx.scope.organization, base],
  );
  return rows.map(({ agent }) => agent);
}

/** What these agents name. */
async function namesOf(ctx: Looking, kind: "base" | "connection", agents: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.query<{ name: string }>(
    `select distinct name from (${uses} and a.name = any($2::text[])) n where kind = $3`,
    [ctx.scope.organization, agents, kind],
  );
  return rows.map(({ name }) => name);
}

/** The knowledge bases that a call of a narrowed key may know: those that its agents name. Null: the key is not narrowed. */
export async function basesWithin(ctx: Looking & Pick<CallContext, "principal">): Promise<string[] | null> {
  const { agents } = ctx.principal;
  return agents && namesOf(ctx, "base", agents);
}

type Members = Partial<Pick<AgentDefinition, "model" | "tools">> & { readonly knowledge?: readonly string[] | null };

/** `agents` where all bases and connections that members of a definition name are named by the key's agents already; else null. */
export async function namesWithin(
  ctx: Looking & Pick<CallContext, "principal">,
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

/** The knowledge bases that a definition names. */
export function basesOf({ tools, knowledge }: Pick<Members, "tools" | "knowledge">): readonly string[] {
  return [...(knowledge ?? []), ...(tools ?? []).flatMap(basesOfTool)];
}

function basesOfTool(tool: AgentDefinition["tools"][number]): readonly string[] {
  if (tool.kind === "record") return [tool.base];
  return tool.kind === "search" ? (tool.bases ?? []) : [];
}
