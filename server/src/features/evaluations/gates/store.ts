import { all, first, insert, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { agentVersionRows, deploymentRows } from "../../agents/shared-rows.ts";
import type { GateDefinition } from "./rules.ts";

export interface GateRow {
  agent: string;
  definition: GateDefinition;
  revision: number;
  author: string;
  updated_at: Date;
}

export const findGate = (ctx: QueryContext, agent: string): Promise<GateRow | undefined> =>
  first(ctx, select(ctx, "gates", "g").selectAll().where("g.agent", "=", agent).$castTo<GateRow>());

/** Serializes judging the agent's versions and setting its gate until the transaction ends. Locked before any row of a run, to avoid deadlocks. */
export async function lockGate(ctx: WriteContext, agent: string): Promise<GateRow | undefined> {
  const { organization, environment } = ctx.scope;
  const key = ["gate", organization, environment, agent].join(" ");
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
  return findGate(ctx, agent);
}

/** Agents whose gates, in any environment, judge by the scorer. */
export async function judgedBy(ctx: QueryContext, scorer: string): Promise<string[]> {
  const rows = await ctx.db.query<{ agent: string }>(
    "select distinct agent from gates where organization = $1 and definition->'scorers' @> $2::jsonb",
    [ctx.scope.organization, JSON.stringify([{ scorer }])],
  );
  return rows.map(({ agent }) => agent);
}

/** SQL: scorers that gates and runs of agents use. `agents`: an expression, `text[]`; `$1` is the organization. */
export const scorersOf = (agents: string): string => `
  select s->>'scorer' from gates g cross join jsonb_array_elements(g.definition->'scorers') s where g.organization = $1 and g.agent = any(${agents})
  union select s->>'scorer' from evaluation_runs r cross join jsonb_array_elements(r.scorers) s where r.organization = $1 and r.agent = any(${agents})`;

/** `agents` if gates and runs of the key's agents use all these scorers; else null. */
export async function scorersWithin(
  ctx: QueryContext & Pick<CallContext, "principal">,
  agents: readonly string[],
  scorers: readonly string[],
): Promise<readonly string[] | null> {
  const own = ctx.principal.agents;
  if (own === null || scorers.length === 0) return agents;
  const rows = await ctx.db.query(
    `select name from unnest($3::text[]) name where name not in (${scorersOf("$2::text[]")}) limit 1`,
    [ctx.scope.organization, own, scorers],
  );
  return rows.length === 0 ? agents : null;
}

/** Replaces revision `based` (0: none); undefined if that is not the present one. */
export function storeGate(
  ctx: WriteContext,
  agent: string,
  definition: GateDefinition,
  based: number,
): Promise<GateRow | undefined> {
  const row = { definition: JSON.stringify(definition), author: ctx.principal.id };
  if (based === 0) {
    const added = insert(ctx, "gates", { ...row, agent }).onConflict((on) => on.doNothing());
    return first(ctx, added.returningAll().$castTo<GateRow>());
  }
  const changed = update(ctx, "gates").set({ ...row, revision: based + 1, updated_at: sql<Date>`now()` });
  const found = changed.where("agent", "=", agent).where("revision", "=", based);
  return first(ctx, found.returningAll().$castTo<GateRow>());
}

/** A version with its verdict in the environment. */
export interface GatedVersion {
  id: string;
  number: number;
  deployed: boolean;
  verdict: "open" | "failed" | "inconclusive" | null;
  reasons: string[] | null;
  run_ids: string[] | null;
  decision: string | null;
  decided_at: Date | null;
  expires_at: Date | null;
  /** The version that was live at the verdict; null if none was. */
  compared_with: number | null;
}

/** The live version and the newest ones, newest first. */
export async function listGatedVersions(ctx: QueryContext, agent: string, most: number): Promise<GatedVersion[]> {
  return ctx.db.query<GatedVersion>(
    `select v.id, v.number, d.id is not null as deployed, g.verdict, g.reasons, g.run_ids, g.decision, g.decided_at, g.expires_at,
       o.number as compared_with
     from ${agentVersionRows} v
     left join ${deploymentRows} d
       on d.organization = v.organization and d.environment = $2 and d.agent = v.agent and d.version_number = v.number and d.state = 'live'
     left join gate_verdicts g on g.organization = v.organization and g.environment = $2 and g.version_id = v.id
     left join ${agentVersionRows} o on o.organization = g.organization and o.id = g.against
     where v.organization = $1 and v.agent = $3
       and (d.id is not null or v.number > (select coalesce(max(number), 0) from ${agentVersionRows} agent_versions where organization = $1 and agent = $3) - $4)
     order by v.number desc`,
    [ctx.scope.organization, ctx.scope.environment, agent, most],
  );
}

export interface VersionSkills {
  readonly id: string;
  readonly number: number;
  readonly skills: readonly string[];
}

const versions = (ctx: QueryContext, agent: string) =>
  select(ctx, agentVersionRows, "v")
    .where("v.agent", "=", agent)
    .select(["v.id", "v.number"])
    .select(sql<string[]>`array(select s->>'name' from jsonb_array_elements(v.definition->'skills') s)`.as("skills"));

/** Live in the environment. */
export function findLiveVersion(ctx: QueryContext, agent: string): Promise<VersionSkills | undefined> {
  const live = versions(ctx, agent).innerJoin(rowsOf(ctx, deploymentRows, "d"), (join) =>
    join.onRef("d.agent", "=", "v.agent").onRef("d.version_number", "=", "v.number"),
  );
  return first(ctx, live.where("d.state", "=", "live"));
}

export const findVersion = (ctx: QueryContext, agent: string, number: number): Promise<VersionSkills | undefined> =>
  first(ctx, versions(ctx, agent).where("v.number", "=", number));

interface NewVerdict {
  readonly agent: string;
  readonly version_id: string;
  readonly gate_revision: number;
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly reasons: string[];
  readonly run_ids: string[];
  readonly decision: string | null;
  readonly expires_at: Date;
  /** The live version. */
  readonly against: string | null;
}

/** Replaces the verdict on a version. */
export async function storeVerdict(ctx: WriteContext, { version_id, ...verdict }: NewVerdict): Promise<void> {
  const row = { ...verdict, run_id: verdict.run_ids.at(-1) ?? null, decided_at: sql<Date>`now()` };
  const added = insert(ctx, "gate_verdicts", { ...row, version_id } as never);
  await all(
    ctx,
    added.onConflict((on) => on.columns(["organization", "environment", "version_id"]).doUpdateSet(row)),
  );
}

/** The version that was live at the open verdict in force, null for none; undefined: no open verdict is in force. */
export async function findComparison(
  ctx: QueryContext,
  versionId: string,
  now: number,
): Promise<{ id: string; number: number } | null | undefined> {
  const row = await first(
    ctx,
    select(ctx, "gate_verdicts", "g")
      .leftJoin(rowsOf(ctx, agentVersionRows, "o"), "o.id", "g.against")
      .select(["o.id", "o.number"])
      .where("g.version_id", "=", versionId)
      .where("g.verdict", "=", "open")
      .where("g.expires_at", ">", new Date(now)),
  );
  return row && (row.id === null || row.number === null ? null : { id: row.id, number: row.number });
}

/** By this revision of its gate. */
export async function hasVerdict(ctx: QueryContext, versionId: string, revision: number): Promise<boolean> {
  const verdicts = select(ctx, "gate_verdicts", "g").select("g.verdict").where("g.version_id", "=", versionId);
  return (await first(ctx, verdicts.where("g.gate_revision", "=", revision))) !== undefined;
}

/** Verdicts by earlier revisions of the gate. */
export async function dropOldVerdicts(ctx: WriteContext, agent: string, revision: number): Promise<void> {
  await ctx.db.query(
    `delete from gate_verdicts g using agent_versions v
     where g.organization = $1 and g.environment = $2 and v.organization = g.organization and v.id = g.version_id and v.agent = $3
       and g.gate_revision is distinct from $4`,
    [ctx.scope.organization, ctx.scope.environment, agent, revision],
  );
}
