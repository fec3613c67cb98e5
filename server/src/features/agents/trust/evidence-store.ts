import { all, insert } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { checkCase, type Origin, type TrustCase } from "../../../kernel/trust/index.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { digestOf } from "../definitions/bundle/index.ts";
import type { AgentDefinition, SkillDefinition } from "../definitions/schemas.ts";

/**
 * What judged a case, from the weakest word to the strongest: people's decision on a call that the agent wanted to make, the failure of a run, feedback on its
 * outcome, a review of a task that was drawn at random. Evaluations judge cases of their own, and those whose run fails are `run` too.
 */
export const sources = ["evaluation", "approval", "run", "feedback", "review"] as const;
type JudgementSource = (typeof sources)[number];

export interface JudgedCase {
  readonly agent: string;
  readonly skill: string;
  readonly version_id: string;
  /** Id of the task or evaluated item: each counts once. */
  readonly id: string;
  readonly source: JudgementSource;
  readonly origin: Origin;
  /** From 0 to 1. */
  readonly outcome: number;
  /** Default 1. */
  readonly weight?: number;
  /** The signals known when the case was scored. */
  readonly case: TrustCase;
  /** Milliseconds since the epoch; default now. */
  readonly observed_at?: number;
}

const columns =
  "organization, environment, agent, skill, id, version_id, source, origin, outcome, weight, signals, observed_at, judged_at";
const rank = (of: string): string =>
  `array_position(array['evaluation', 'approval', 'run', 'feedback', 'review'], ${of})`;

/**
 * Records judged cases in one statement, and asks for a refit of their skills. A task counts once: a stronger word takes the place of a weaker one and the latest
 * that of its like, but of several decisions on its calls the worst stays. What was known of the case stays known where the new word tells nothing.
 */
export async function recordJudgements(ctx: WriteContext, rows: readonly JudgedCase[]): Promise<void> {
  if (rows.length === 0) return;
  for (const { id, outcome, weight = 1, case: given } of rows) {
    checkCase(given);
    if (!(outcome >= 0 && outcome <= 1 && weight >= 0 && weight <= 1))
      throw new RangeError(`the judgement of ${id}: outcome and weight lie in [0, 1]`);
  }
  const own = (name: "agent" | "skill" | "id" | "version_id" | "source" | "origin" | "outcome") =>
    rows.map((row) => row[name]);
  await ctx.db.query(
    `with judged as (
       insert into trust_judgements as t (${columns}, experiment, sticky)
       select $1, $2, e.*, $13::timestamptz, k.experiment, k.sticky
       from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::float8[], $11::text[], $12::timestamptz[])
         as e (agent, skill, id, version_id, source, origin, outcome, weight, signals, observed_at)
       left join ${taskRows} k on k.organization = $1 and k.environment = $2 and k.id = e.id
       on conflict (organization, environment, agent, skill, id, version_id) do update set source = excluded.source, origin = excluded.origin,
         outcome = case when excluded.source = 'approval' then least(t.outcome, excluded.outcome) else excluded.outcome end, weight = excluded.weight,
         signals = case when excluded.signals = '{}' then t.signals else excluded.signals end,
         observed_at = excluded.observed_at, judged_at = excluded.judged_at
       where excluded.origin = 'evaluation' or ${rank("excluded.source")} >= ${rank("t.source")}
       returning organization, environment, agent, skill)
     insert into trust_refits (organization, environment, agent, skill) select distinct organization, environment, agent, skill from judged`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      ...(["agent", "skill", "id", "version_id", "source", "origin", "outcome"] as const).map(own),
      rows.map(({ weight = 1 }) => weight),
      rows.map((row) => JSON.stringify(row.case)),
      rows.map((row) => new Date(row.observed_at ?? ctx.now)),
      new Date(ctx.now),
    ],
  );
}

/** A task that runs again gets a new outcome. Decisions on its calls stay. */
export async function forgetJudgement(
  ctx: WriteContext,
  { agent, skill, id }: Pick<JudgedCase, "agent" | "skill" | "id">,
): Promise<void> {
  await ctx.db.query(
    `with gone as (
       delete from trust_judgements where organization = $1 and environment = $2 and agent = $3 and skill = $4 and id = $5 and source <> 'approval'
       returning organization, environment, agent, skill)
     insert into trust_refits (organization, environment, agent, skill) select distinct organization, environment, agent, skill from gone`,
    [ctx.scope.organization, ctx.scope.environment, agent, skill, id],
  );
}

/** Adds later signals to a case that people decided on before. */
export async function completeCase(
  ctx: WriteContext,
  judged: Pick<JudgedCase, "agent" | "skill" | "id" | "case">,
): Promise<void> {
  await ctx.db.query(
    `with known as (
       update trust_judgements set signals = $6 where organization = $1 and environment = $2 and agent = $3 and skill = $4 and id = $5
       returning organization, environment, agent, skill)
     insert into trust_refits (organization, environment, agent, skill) select distinct organization, environment, agent, skill from known`,
    [ctx.scope.organization, ctx.scope.environment, judged.agent, judged.skill, judged.id, JSON.stringify(judged.case)],
  );
}

export interface JudgementRow {
  id: string;
  version_id: string;
  source: JudgementSource;
  origin: Origin;
  outcome: number;
  weight: number;
  signals: string;
  observed_at: Date;
  judged_at: Date;
}
export const judgementJson = storedJson<{ signals: TrustCase }>();

/** Over all versions of the agent. */
export async function listJudgements(
  ctx: QueryContext,
  agent: string,
  skill: string,
  most: number,
): Promise<JudgementRow[]> {
  return ctx.db.query<JudgementRow>(
    `select id, version_id, source, origin, outcome, weight, signals, observed_at, judged_at from trust_judgements
     where organization = $1 and environment = $2 and agent = $3 and skill = $4 order by observed_at desc, id limit $5`,
    [ctx.scope.organization, ctx.scope.environment, agent, skill, most],
  );
}

/** What distinguishes versions of a skill: digests of its model with what it learnt, and of all else that the model sees. */
export interface SkillFingerprint {
  readonly model: string;
  readonly behaviour: string;
}

/**
 * The fingerprints of every skill of a definition, by name. They differ exactly where a comparison of two definitions says that the skill's evidence is touched;
 * `trained` holds the digests of trained models by skill.
 */
export function fingerprintsOf(
  definition: AgentDefinition,
  trained: ReadonlyMap<string, string>,
): Map<string, SkillFingerprint> {
  return new Map(
    definition.skills.map((skill) => {
      const model = digestOf({ model: definition.model, trained: trained.get(skill.name) });
      return [skill.name, { model, behaviour: digestOf(seenOf(definition, skill)) }];
    }),
  );
}

/** What the skill's model sees or is bound by. Titles are for people; impact, costs and subjects govern; the order of tools means nothing, that of a skill's tools does. */
function seenOf(
  { instructions, knowledge, tools }: AgentDefinition,
  { title: _title, impact: _impact, subject: _subject, ...skill }: SkillDefinition,
) {
  const used = tools.filter(({ name }) => skill.tools?.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    instructions,
    knowledge: [...(knowledge ?? [])].sort(),
    tools: used.map(({ title: _title, impact: _unseen, cost_usd: _cost, ...tool }) => tool),
    skill,
  };
}

interface PrintedVersion {
  readonly id: string;
  readonly agent: string;
  readonly number: number;
  readonly definition: AgentDefinition;
  /** Digests by skill. */
  readonly trained: Readonly<Record<string, string>>;
}

/** One row for each skill. */
export async function insertFingerprints(
  ctx: Pick<WriteContext, "scope"> & { readonly db: Statements },
  { id: version_id, agent, number, definition, trained }: PrintedVersion,
): Promise<void> {
  const fingerprints = fingerprintsOf(definition, new Map(Object.entries(trained)));
  const rows = [...fingerprints].map(([skill, fingerprint]) => ({ version_id, agent, number, skill, ...fingerprint }));
  if (rows.length > 0)
    await all(
      ctx,
      insert(ctx, "skill_prints", rows).onConflict((conflict) => conflict.doNothing()),
    );
}

/** For versions of an earlier release, or of the sample. Returns how many versions. */
export async function fingerprintOlder(db: Statements, most: number): Promise<number> {
  const versions = await db.query<PrintedVersion & Scope>(
    `select v.organization, v.id, v.agent, v.number, v.definition,
       coalesce((select json_object_agg(m.skill, m.digest) from skill_models m where m.organization = v.organization and m.version_id = v.id), '{}') as trained
     from agent_versions v
     where jsonb_array_length(v.definition -> 'skills') > 0
       and not exists (select from skill_prints p where p.organization = v.organization and p.version_id = v.id)
     order by v.created_at limit $1`,
    [most],
  );
  for (const version of versions) await insertFingerprints({ db, scope: version }, version);
  return versions.length;
}
