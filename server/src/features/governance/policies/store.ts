import { all, first, insert, newestFirst, type Row, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { momentOf } from "../../../kernel/moment.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { type PolicyDefinition, policyFacts, type StoredPolicy } from "./facts.ts";
import type { PolicyText } from "./rules.ts";
import type { PolicyBody, ReplayReport } from "./schemas.ts";

export type VersionState = Row<"policies">["state"];

/** One version of a policy as it is stored, and which versions of the policy are in force. */
export interface PolicyRow
  extends Omit<Row<"policies">, "organization" | "environment" | "definition" | "report_digest"> {
  definition: PolicyDefinition;
  newest: number;
  active: number | null;
  shadow: number | null;
}

/** Each version of the policies, with the newest one and those in force. */
const versions = (ctx: ReadContext | WriteContext) =>
  select(ctx, "policies", "p")
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(rowsOf(ctx, "policies", "v"))
          .select(sql<number>`max(v.version)`.as("newest"))
          .select(sql<number | null>`max(v.version) filter (where v.state = 'active')`.as("active"))
          .select(sql<number | null>`max(v.version) filter (where v.state = 'shadow')`.as("shadow"))
          .whereRef("v.id", "=", "p.id")
          .as("f"),
      (join) => join.onTrue(),
    )
    .select([
      "p.id",
      "p.version",
      "p.state",
      "p.name",
      "p.note",
      "p.definition",
      "p.effective_from",
      "p.effective_until",
    ])
    .select(["p.author", "p.created_at", "p.activated_at", "p.retired_at", "p.retired_by", "p.report"])
    .select(["f.newest", "f.active", "f.shadow"])
    .$castTo<PolicyRow>();

/** A version of a policy, by default the newest; undefined where there is none. */
export async function findPolicy(
  ctx: ReadContext | WriteContext,
  id: string,
  version?: number,
): Promise<PolicyRow | undefined> {
  if (!isId(id, "pol")) return undefined;
  const one = versions(ctx).where("p.id", "=", id);
  return first(
    ctx,
    version === undefined ? one.whereRef("p.version", "=", "f.newest") : one.where("p.version", "=", version),
  );
}

/** Locks a policy and returns its newest versions, the newest first. One that came while it waited is among them, as a second statement reads them. */
export async function lockPolicy(ctx: WriteContext, id: string): Promise<VersionLine[]> {
  const locked = select(ctx, "policies", "p").select("p.id").where("p.id", "=", id).orderBy("p.version");
  await all(ctx, locked.forUpdate());
  return listVersions(ctx, id);
}

const mostLines = 100;

export type VersionLine = Pick<
  PolicyRow,
  "version" | "state" | "note" | "author" | "created_at" | "activated_at" | "retired_at"
>;

export async function listVersions(ctx: ReadContext | WriteContext, id: string): Promise<VersionLine[]> {
  const lines = select(ctx, "policies", "p")
    .select(["p.version", "p.state", "p.note", "p.author", "p.created_at", "p.activated_at", "p.retired_at"])
    .where("p.id", "=", id);
  return all(ctx, lines.orderBy("p.version", "desc").limit(mostLines));
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

/** Adds the newest version, beside the ones before. Returns the policy as it then is. */
export async function insertVersion(
  ctx: WriteContext,
  { text, report, ...version }: NewVersion,
  before: { readonly lines: readonly VersionLine[]; readonly active: number | null; readonly shadow: number | null },
): Promise<{ readonly row: PolicyRow; readonly lines: VersionLine[] }> {
  const { definition, from, until } = text;
  const now = new Date(ctx.now);
  const row = {
    ...version,
    definition: JSON.stringify(definition),
    effective_from: from === null ? null : new Date(from),
    effective_until: until === null ? null : new Date(until),
    author: ctx.principal.id,
    created_at: now,
    activated_at: version.state === "active" ? now : null,
    report: report && JSON.stringify(report),
    report_digest: report?.digest ?? null,
  };
  const added = await first(ctx, insert(ctx, "policies", row).returningAll());
  const { version: newest, state } = version;
  const inForce = {
    active: state === "active" ? newest : before.active,
    shadow: state === "shadow" ? newest : state === "active" ? null : before.shadow,
  };
  const whole = { ...(added as Row<"policies">), newest, ...inForce } as PolicyRow;
  return { row: whole, lines: [whole, ...before.lines].slice(0, mostLines) };
}

/** Retires the versions in these states, of the locked `lines`. Returns all of these as they then are. */
export async function retireVersions(
  ctx: WriteContext,
  id: string,
  states: readonly VersionState[],
  lines: readonly VersionLine[],
): Promise<VersionLine[]> {
  const retired = { state: "retired", retired_at: new Date(ctx.now), retired_by: ctx.principal.id } as const;
  const ended = update(ctx, "policies").set(retired).where("id", "=", id).where("state", "in", states);
  const rows = await all(ctx, ended.returning(["version", "state", "retired_at"]));
  const changed = new Map(rows.map((row) => [row.version, row]));
  return lines.map((line) => ({ ...line, ...changed.get(line.version) }));
}

export interface PolicyFilter {
  readonly state?: readonly VersionState[];
  readonly effect?: readonly PolicyDefinition["effect"][];
  readonly action?: string;
}

/** Whether a version's scope names one of the key's agents, by name or pattern, or all agents. */
const concerns = ({ principal: { agents } }: ReadContext, definition: string) => {
  const named = sql.raw(`${definition} -> 'scope' -> 'agents'`);
  return sql<boolean>`(${named} is null or exists (
    select from jsonb_array_elements_text(${named}) s(pattern), unnest(${agents}::text[]) a(name)
    where a.name like replace(replace(replace(s.pattern, '_', '\\_'), '*', '%'), '?', '_')))`;
};

/** Whether every version of a policy concerns an agent to which the key is narrowed. */
export async function concernsOwn(ctx: ReadContext, id: string): Promise<boolean> {
  const every = sql<boolean>`bool_and(${concerns(ctx, "p.definition")})`.as("every");
  return (await first(ctx, select(ctx, "policies", "p").select(every).where("p.id", "=", id)))?.every === true;
}

/**
 * A page of policies by their newest versions, the newest policy first. `ofAgents`: whether the action asked for is one that agents do. A key that is
 * narrowed to agents sees those of which every version concerns one of them.
 */
export async function listPolicies(
  ctx: ReadContext,
  { state, effect, action }: PolicyFilter,
  ofAgents: boolean,
  page: PageRequest,
): Promise<PolicyRow[]> {
  const actions = sql`p.definition -> 'scope' -> 'actions'`;
  const others = select(ctx, "policies", "v")
    .select("v.id")
    .where(sql<boolean>`not ${concerns(ctx, "v.definition")}`);
  const query = versions(ctx)
    .whereRef("p.version", "=", "f.newest")
    .$if(state !== undefined, (q) =>
      q.where(
        sql<boolean>`array[p.state, case when f.active is not null then 'active' end, case when f.shadow is not null then 'shadow' end] && ${state}::text[]`,
      ),
    )
    .$if(effect !== undefined, (q) => q.where(sql<boolean>`p.definition ->> 'effect' = any(${effect}::text[])`))
    .$if(action !== undefined, (q) =>
      q.where(sql<boolean>`(${actions} ? ${action} or (${ofAgents} and ${actions} is null))`),
    )
    .$if(ctx.principal.agents !== null, (q) => q.where("p.id", "not in", others));
  return all(ctx, newestFirst(query, "p.id", page));
}

const countedDays = 30;

export interface CountedViolations {
  waited: number;
  blocked: number;
  would_block: number;
  would_wait: number;
  warned: number;
}

/** What policies did and found in the last thirty days, by policy. A key that is narrowed to agents counts only theirs. */
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
       select p.source, count(distinct task_id)::int as waited from ${approvalRows} approvals cross join unnest(policies) p(source)
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

export type ViolationRow = Omit<Row<"violations">, "organization" | "environment" | "key_id">;

export interface ViolationFilter {
  readonly kind?: readonly ViolationRow["kind"][];
  readonly source?: string;
  readonly agent?: readonly string[];
  readonly status?: readonly ViolationRow["status"][];
  readonly created_after?: string;
  readonly created_before?: string;
}

/** A page of violations, newest first: the ids of their records sort by time. A key that is narrowed to agents sees only theirs. */
export async function listViolations(
  ctx: ReadContext,
  { kind, source, agent, status, created_after: from, created_before: to }: ViolationFilter,
  { after, take }: PageRequest,
): Promise<ViolationRow[]> {
  const { agents } = ctx.principal;
  const query = select(ctx, "violations", "v")
    .leftJoin(rowsOf(ctx, "policies", "p"), (join) =>
      join.onRef("p.id", "=", "v.source").onRef("p.version", "=", "v.source_version"),
    )
    .select(["v.id", "v.source", "v.source_version", "v.kind", "v.reason_code", "v.message", "v.operation", "v.action"])
    .select(["v.agent", "v.task_id", "v.principal", "v.status"])
    .select((of) => of.fn.coalesce("v.owner", "p.author").as("owner"))
    .$if(kind !== undefined, (q) => q.where("v.kind", "in", kind ?? []))
    .$if(source !== undefined, (q) => q.where("v.source", "=", source ?? ""))
    .$if(agent !== undefined, (q) => q.where("v.agent", "in", agent ?? []))
    .$if(agents !== null, (q) => q.where(sql<boolean>`v.agent = any(${agents}::text[])`))
    .$if(status !== undefined, (q) => q.where("v.status", "in", status ?? []))
    .$if(from !== undefined, (q) => q.where("v.id", ">=", lowestId("aud", momentOf(from ?? ""))))
    .$if(to !== undefined, (q) => q.where("v.id", "<", lowestId("aud", momentOf(to ?? ""))))
    .$if(after !== undefined, (q) => q.where(sql<boolean>`(v.id, v.source) < (${after?.id}, ${after?.keys[0]})`))
    .orderBy("v.id", "desc")
    .orderBy("v.source", "desc")
    .limit(take);
  return all(ctx, query);
}

/** The active policies that name an action and could apply to it in the environment, whatever their condition says. */
export function policiesNaming(
  { facts, scope, now }: { readonly facts: FactsReader; readonly scope: Scope; readonly now: number },
  action: string,
): StoredPolicy[] {
  const inForce = facts.get(policyFacts).of(scope);
  return inForce.filter(
    ({ state, scope: { actions, environments }, effective_until: until }) =>
      state === "active" &&
      actions?.includes(action) === true &&
      environments?.includes(scope.environment) !== false &&
      (until === null || until > now),
  );
}

export function policiesOf({ facts, scope }: { readonly facts: FactsReader; readonly scope: Scope }) {
  return facts.get(policyFacts).of(scope);
}

/** The newest version of a policy of the environment, as another installation can take it; undefined where there is none that is in use. */
export async function findPortablePolicy(ctx: ReadContext | WriteContext, id: string): Promise<PolicyBody | undefined> {
  const row = await findPolicy(ctx, id);
  if (!row || row.state === "retired") return undefined;
  const { scope, when, effect, params = {}, reason_code, message, controls } = row.definition;
  const { environments: _, ...elsewhere } = scope as NonNullable<PolicyBody["scope"]>;
  return {
    name: row.name,
    ...(Object.keys(elsewhere).length > 0 && { scope: elsewhere }),
    when,
    effect,
    ...(Object.keys(params ?? {}).length > 0 && { params: params as NonNullable<PolicyBody["params"]> }),
    reason_code,
    message,
    ...(controls.length > 0 && { controls: [...controls] }),
  } as PolicyBody;
}
