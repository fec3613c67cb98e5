import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { PolicyDefinition } from "../facts.ts";
import type { PolicyText } from "./model.ts";
import type { ReplayReport } from "./schemas.ts";

export type VersionState = "draft" | "shadow" | "active" | "retired";

/** One version of a policy as it is stored, and which versions of the policy are in force. */
export interface PolicyRow {
  id: string;
  version: number;
  state: VersionState;
  name: string;
  note: string;
  definition: PolicyDefinition;
  effective_from: Date | null;
  effective_until: Date | null;
  author: string;
  created_at: Date;
  activated_at: Date | null;
  retired_at: Date | null;
  retired_by: string | null;
  report: string | null;
  newest: number;
  active: number | null;
  shadow: number | null;
}

const columns = `p.id, p.version, p.state, p.name, p.note, p.definition, p.effective_from, p.effective_until, p.author, p.created_at, p.activated_at, p.retired_at,
  p.retired_by, p.report`;
const ofVersions = `cross join lateral (
    select max(v.version) as newest, max(v.version) filter (where v.state = 'active') as active, max(v.version) filter (where v.state = 'shadow') as shadow
    from policies v where v.organization = p.organization and v.environment = p.environment and v.id = p.id) f`;

/** A version of a policy, the newest unless one is named; undefined where there is none. */
export async function findPolicy(
  ctx: ReadContext | WriteContext,
  id: string,
  version?: number,
): Promise<PolicyRow | undefined> {
  if (!isId(id, "pol")) return undefined;
  const rows = await ctx.db.query<PolicyRow>(
    `select ${columns}, f.newest, f.active, f.shadow from policies p ${ofVersions}
     where p.organization = $1 and p.environment = $2 and p.id = $3 and p.version = coalesce($4::int, f.newest)`,
    [ctx.scope.organization, ctx.scope.environment, id, version ?? null],
  );
  return rows[0];
}

/** Locks a policy until the transaction ends: versions are added by one call after the other. Answers its newest version. */
export async function lockPolicy(ctx: WriteContext, id: string): Promise<PolicyRow | undefined> {
  await ctx.db.query(
    "select from policies where organization = $1 and environment = $2 and id = $3 order by version for update",
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return findPolicy(ctx, id);
}

export interface VersionLine {
  version: number;
  state: VersionState;
  note: string;
  author: string;
  created_at: Date;
  activated_at: Date | null;
  retired_at: Date | null;
}

/** The newest versions of a policy. */
export async function listVersions(ctx: ReadContext | WriteContext, id: string): Promise<VersionLine[]> {
  return ctx.db.query<VersionLine>(
    `select version, state, note, author, created_at, activated_at, retired_at from policies
     where organization = $1 and environment = $2 and id = $3 order by version desc limit 100`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
}

export interface NewVersion {
  readonly id: string;
  readonly version: number;
  readonly state: "draft" | "shadow" | "active";
  readonly name: string;
  readonly note: string;
  readonly text: PolicyText;
  readonly report: ReplayReport | null;
}

export async function insertVersion(ctx: WriteContext, one: NewVersion): Promise<void> {
  const { id, version, state, name, note, text, report } = one;
  await ctx.db.query(
    `insert into policies (organization, environment, id, version, state, name, note, definition, effective_from, effective_until, author, created_at,
       activated_at, report, report_digest)
     values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000), to_timestamp($10::float8 / 1000), $11, to_timestamp($12::float8 / 1000),
       case when $5 = 'active' then to_timestamp($12::float8 / 1000) end, $13, $14)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      id,
      version,
      state,
      name,
      note,
      JSON.stringify(text.definition),
      text.from,
      text.until,
      ctx.principal.id,
      ctx.now,
      report && JSON.stringify(report),
      report?.digest ?? null,
    ],
  );
}

/** Ends versions of a policy: those in one of these states. What had ended before stays as it is. */
export async function retireVersions(ctx: WriteContext, id: string, states: readonly VersionState[]): Promise<void> {
  await ctx.db.query(
    `update policies set state = 'retired', retired_at = to_timestamp($5::float8 / 1000), retired_by = $6
     where organization = $1 and environment = $2 and id = $3 and state = any($4)`,
    [ctx.scope.organization, ctx.scope.environment, id, states, ctx.now, ctx.principal.id],
  );
}

export interface PolicyFilter {
  readonly state?: readonly VersionState[];
  readonly effect?: readonly PolicyDefinition["effect"][];
  readonly action?: string;
}

/** SQL: whether a version's scope names one of some agents, by name or pattern, or all agents. `agents`: an expression, `text[]`. */
const concerns = (
  version: string,
  agents: string,
): string => `(${version}.definition -> 'scope' -> 'agents' is null or exists (
  select from jsonb_array_elements_text(${version}.definition -> 'scope' -> 'agents') s(pattern), unnest(${agents}) a(name)
  where a.name like replace(replace(replace(s.pattern, '_', '\\_'), '*', '%'), '?', '_')))`;

/** Whether every version of a policy concerns an agent to which the key is narrowed. */
export async function concernsOwn(ctx: ReadContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query<{ all: boolean }>(
    `select bool_and(${concerns("p", "$4::text[]")}) as all from policies p where p.organization = $1 and p.environment = $2 and p.id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id, ctx.principal.agents],
  );
  return rows[0]?.all === true;
}

/**
 * A page of policies by their newest versions, the newest policy first. `ofAgents`: whether the action asked for is one that agents do. A key that is narrowed to
 * agents sees those of which every version concerns one of them.
 */
export async function listPolicies(
  ctx: ReadContext,
  filter: PolicyFilter,
  ofAgents: boolean,
  page: PageRequest,
): Promise<PolicyRow[]> {
  return ctx.db.query<PolicyRow>(
    `select ${columns}, f.newest, f.active, f.shadow from policies p ${ofVersions}
     where p.organization = $1 and p.environment = $2 and p.version = f.newest and ($3::text is null or p.id < $3)
       and ($4::text[] is null or p.state = any($4) or (f.active is not null and 'active' = any($4)) or (f.shadow is not null and 'shadow' = any($4)))
       and ($5::text[] is null or p.definition ->> 'effect' = any($5))
       and ($6::text is null or p.definition -> 'scope' -> 'actions' ? $6 or ($7 and p.definition -> 'scope' -> 'actions' is null))
       and ($9::text[] is null or not exists (
         select from policies v where v.organization = p.organization and v.environment = p.environment and v.id = p.id and not ${concerns("v", "$9::text[]")}))
     order by p.id desc limit $8`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      page.after?.id ?? null,
      filter.state ?? null,
      filter.effect ?? null,
      filter.action ?? null,
      ofAgents,
      page.take,
      ctx.principal.agents,
    ],
  );
}

const countedDays = 30;

export interface CountedViolations {
  /** Tasks that it put before people. */
  waited: number;
  blocked: number;
  would_block: number;
  would_wait: number;
  warned: number;
}

/** What policies did and found in the last thirty days, by policy. A key that is narrowed to agents counts theirs. */
export async function countViolations(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, CountedViolations>> {
  const since = ctx.now - countedDays * 86_400_000;
  const rows = await ctx.db.query<CountedViolations & { source: string }>(
    `select coalesce(v.source, a.source) as source, coalesce(waited, 0) as waited, coalesce(blocked, 0) as blocked, coalesce(would_block, 0) as would_block,
       coalesce(would_wait, 0) as would_wait, coalesce(warned, 0) as warned
     from (
       select source, count(*) filter (where kind = 'blocked')::int as blocked, count(*) filter (where kind = 'would_block')::int as would_block,
         count(*) filter (where kind = 'would_wait')::int as would_wait, count(*) filter (where kind = 'warned')::int as warned
       from violations where organization = $1 and environment = $2 and source = any($3) and id >= $4 and ($5::text[] is null or agent = any($5))
       group by source) v
     full join (
       select p.source, count(distinct task_id)::int as waited from approvals cross join unnest(policies) p(source)
       where organization = $1 and environment = $2 and policies <> '{}' and id >= $6 and p.source = any($3) and ($5::text[] is null or agent = any($5))
       group by p.source) a on a.source = v.source`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      ids,
      lowestId("aud", since),
      ctx.principal.agents,
      lowestId("apr", since),
    ],
  );
  return new Map(rows.map(({ source, ...counts }) => [source, counts]));
}
