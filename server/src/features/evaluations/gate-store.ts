import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { GateDefinition } from "./gate-rules.ts";

type Here = Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> };
const here = ({ scope }: Pick<CallContext, "scope">): readonly string[] => [scope.organization, scope.environment];

/** What was measured then, or before, is evidence no more. */
export const tooOld = ({ now }: Pick<CallContext, "now">, lifetimeDays: number): Date =>
  new Date(now - lifetimeDays * 86_400_000);

/** SQL: whether a run is over a dataset version that the gate pins. `ids` and `versions`: parameters that hold {@link pinValues}. */
export const overPinned = (ids: string, versions: string): string =>
  `(dataset_id, dataset_version) in (select * from unnest(${ids}::text[], ${versions}::int[]))`;

/** Ids and versions of pinned datasets, as {@link overPinned} takes them. */
export const pinValues = ({ datasets }: Pick<GateDefinition, "datasets">): [string[], number[]] => [
  datasets.map(({ dataset_id }) => dataset_id),
  datasets.map(({ version }) => version),
];

/** A gate as it is stored. */
export interface GateRow {
  agent: string;
  definition: GateDefinition;
  revision: number;
  author: string;
  updated_at: Date;
}

const columns = "agent, definition, revision, author, updated_at";

/** The gate of an agent in the call's environment. */
export async function findGate(ctx: Here, agent: string): Promise<GateRow | undefined> {
  const rows = await ctx.db.query<GateRow>(
    `select ${columns} from gates where organization = $1 and environment = $2 and agent = $3`,
    [...here(ctx), agent],
  );
  return rows[0];
}

/**
 * The same, while the call alone draws verdicts on the agent's versions and sets its gate, until the transaction ends. Whoever takes it up takes
 * it first, before any row of a run.
 */
export async function lockGate(ctx: WriteContext, agent: string): Promise<GateRow | undefined> {
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    ["gate", ...here(ctx), agent].join(" "),
  ]);
  return findGate(ctx, agent);
}

/** The agents whose gates, in whichever environment, judge by a scorer. */
export async function judgedBy(ctx: Here, scorer: string): Promise<string[]> {
  const rows = await ctx.db.query<{ agent: string }>(
    "select distinct agent from gates where organization = $1 and definition->'scorers' @> $2::jsonb",
    [ctx.scope.organization, JSON.stringify([{ scorer }])],
  );
  return rows.map(({ agent }) => agent);
}

/** SQL: the names of the scorers by which gates and runs of agents judge. `agents`: an expression, `text[]`; `$1` is the organization. */
export const scorersOf = (agents: string): string => `
  select s->>'scorer' from gates g cross join jsonb_array_elements(g.definition->'scorers') s where g.organization = $1 and g.agent = any(${agents})
  union select s->>'scorer' from evaluation_runs r cross join jsonb_array_elements(r.scorers) s where r.organization = $1 and r.agent = any(${agents})`;

/** `agents` where gates and runs of the key's agents judge by all of these scorers; else null. */
export async function scorersWithin(
  ctx: Here & Pick<CallContext, "principal">,
  agents: readonly string[],
  scorers: readonly string[],
): Promise<readonly string[] | null> {
  const own = ctx.principal.agents;
  if (own === null || scorers.length === 0) return agents;
  const rows = await ctx.db.query<{ name: string }>(
    `select name from unnest($3::text[]) name where name not in (${scorersOf("$2::text[]")}) limit 1`,
    [ctx.scope.organization, own, scorers],
  );
  return rows.length === 0 ? agents : null;
}

/** Stores a gate in place of revision `based`, 0 where there was none; undefined where that is no longer the present one. */
export async function storeGate(
  ctx: WriteContext,
  agent: string,
  definition: GateDefinition,
  based: number,
): Promise<GateRow | undefined> {
  const values = [...here(ctx), agent, JSON.stringify(definition), ctx.principal.id];
  const rows =
    based === 0
      ? await ctx.db.query<GateRow>(
          `insert into gates (organization, environment, agent, definition, author) values ($1, $2, $3, $4, $5) on conflict do nothing returning ${columns}`,
          values,
        )
      : await ctx.db.query<GateRow>(
          `update gates set definition = $4, author = $5, revision = revision + 1, updated_at = now()
           where organization = $1 and environment = $2 and agent = $3 and revision = $6 returning ${columns}`,
          [...values, based],
        );
  return rows[0];
}

/** A version of an agent with what the gate of the call's environment knows of it. */
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
  /** Number of the version that was live when the verdict was drawn; null: none was, or there is no verdict. */
  compared_with: number | null;
}

/** The live version of an agent and its newest ones, newest first. */
export async function listGatedVersions(ctx: Here, agent: string, most: number): Promise<GatedVersion[]> {
  return ctx.db.query<GatedVersion>(
    `select v.id, v.number, d.id is not null as deployed, g.verdict, g.reasons, g.run_ids, g.decision, g.decided_at, g.expires_at,
       o.number as compared_with
     from agent_versions v
     left join deployments d
       on d.organization = v.organization and d.environment = $2 and d.agent = v.agent and d.version_number = v.number and d.state = 'live'
     left join gate_verdicts g on g.organization = v.organization and g.environment = $2 and g.version_id = v.id
     left join agent_versions o on o.organization = g.organization and o.id = g.against
     where v.organization = $1 and v.agent = $3
       and (d.id is not null or v.number > (select coalesce(max(number), 0) from agent_versions where organization = $1 and agent = $3) - $4)
     order by v.number desc`,
    [...here(ctx), agent, most],
  );
}

/** A version that is live, and the skills that it has. */
export interface LiveVersion {
  readonly id: string;
  readonly number: number;
  readonly skills: readonly string[];
}

/** The version of an agent that is live in the call's environment. */
export async function findLiveVersion(ctx: Here, agent: string): Promise<LiveVersion | undefined> {
  const rows = await ctx.db.query<LiveVersion>(
    `select v.id, v.number, array(select s->>'name' from jsonb_array_elements(v.definition->'skills') s) as skills from deployments d
     join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
     where d.organization = $1 and d.environment = $2 and d.agent = $3 and d.state = 'live'`,
    [...here(ctx), agent],
  );
  return rows[0];
}

/** A version of an agent by its number, and the skills that it has. */
export async function findVersionSkills(
  ctx: Here,
  agent: string,
  number: number,
): Promise<{ id: string; skills: string[] } | undefined> {
  const rows = await ctx.db.query<{ id: string; skills: string[] }>(
    `select id, array(select s->>'name' from jsonb_array_elements(definition->'skills') s) as skills
     from agent_versions where organization = $1 and agent = $2 and number = $3`,
    [ctx.scope.organization, agent, number],
  );
  return rows[0];
}

export interface NewVerdict {
  readonly agent: string;
  readonly versionId: string;
  readonly revision: number;
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly reasons: readonly string[];
  readonly runs: readonly string[];
  readonly decision: string | null;
  readonly expiresAt: Date;
  /** Id of the version that was live meanwhile; null: none. */
  readonly against: string | null;
}

/** Puts a verdict in the place of the one on the same version. */
export async function storeVerdict(ctx: WriteContext, verdict: NewVerdict): Promise<void> {
  await ctx.db.query(
    `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, run_id, decided_at, expires_at, agent, gate_revision, run_ids, decision,
       against)
     values ($1, $2, $3, $4, $5, $6, now(), $7, $8, $9, $10, $11, $12)
     on conflict (organization, environment, version_id) do update set verdict = excluded.verdict, reasons = excluded.reasons, run_id = excluded.run_id,
       decided_at = excluded.decided_at, expires_at = excluded.expires_at, agent = excluded.agent, gate_revision = excluded.gate_revision,
       run_ids = excluded.run_ids, decision = excluded.decision, against = excluded.against`,
    [
      ...here(ctx),
      verdict.versionId,
      verdict.verdict,
      verdict.reasons,
      verdict.runs.at(-1) ?? null,
      verdict.expiresAt,
      verdict.agent,
      verdict.revision,
      verdict.runs,
      verdict.decision,
      verdict.against,
    ],
  );
}

/** The version, by id and number, that was live when the open verdict in force on a version was drawn, null for none; undefined: no open verdict is in force. */
export async function findComparison(
  ctx: Here,
  versionId: string,
  now: number,
): Promise<{ id: string; number: number } | null | undefined> {
  const rows = await ctx.db.query<{ against: string | null; number: number | null }>(
    `select g.against, o.number from gate_verdicts g left join agent_versions o on o.organization = g.organization and o.id = g.against
     where g.organization = $1 and g.environment = $2 and g.version_id = $3 and g.verdict = 'open' and g.expires_at > $4`,
    [...here(ctx), versionId, new Date(now)],
  );
  const [row] = rows;
  if (!row) return undefined;
  return row.against === null || row.number === null ? null : { id: row.against, number: row.number };
}

/** Whether a verdict on a version stands that this revision of its gate drew. */
export async function hasVerdict(ctx: Here, versionId: string, revision: number): Promise<boolean> {
  const rows = await ctx.db.query(
    "select from gate_verdicts where organization = $1 and environment = $2 and version_id = $3 and gate_revision = $4",
    [...here(ctx), versionId, revision],
  );
  return rows.length > 0;
}

/** Takes the verdicts on an agent's versions away that an earlier revision of its gate drew; answers whether there were any. */
export async function dropOldVerdicts(ctx: WriteContext, agent: string, revision: number): Promise<boolean> {
  const rows = await ctx.db.query(
    `delete from gate_verdicts g using agent_versions v
     where g.organization = $1 and g.environment = $2 and v.organization = g.organization and v.id = g.version_id and v.agent = $3
       and g.gate_revision is distinct from $4 returning g.version_id`,
    [...here(ctx), agent, revision],
  );
  return rows.length > 0;
}

/** The newest versions of an agent that have a finished run over each dataset version of its gate, with enough repeats and young enough. */
export async function listMeasuredVersions(
  ctx: WriteContext,
  agent: string,
  gate: GateDefinition,
  most: number,
): Promise<{ id: string; number: number }[]> {
  return ctx.db.query(
    `select version_id as id, version_number as number from evaluation_runs
     where organization = $1 and environment = $2 and agent = $3 and ${overPinned("$4", "$5")} and state = 'completed' and whole
       and repeats >= $6 and measured_at > $7
     group by 1, 2 having count(distinct dataset_id) = cardinality($4::text[]) order by version_number desc limit $8`,
    [...here(ctx), agent, ...pinValues(gate), gate.repeats, tooOld(ctx, gate.lifetime_days), most],
  );
}
