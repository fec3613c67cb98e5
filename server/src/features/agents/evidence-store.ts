import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { checkCase, type Origin, type TrustCase } from "../../kernel/trust/index.ts";

/**
 * What judged a case, from the weakest word to the strongest: people's decision on a call that the agent wanted to make, the failure of a run, feedback on its
 * outcome, a review of a task that was drawn at random. Evaluations judge cases of their own, and those whose run fails are `run` too.
 */
export const sources = ["evaluation", "approval", "run", "feedback", "review"] as const;
export type JudgementSource = (typeof sources)[number];

/** A judged case of a skill, in the environment of the call that records it. */
export interface JudgedCase {
  readonly agent: string;
  readonly skill: string;
  readonly version_id: string;
  /** Of the task, or of the evaluated item: each counts once. */
  readonly id: string;
  readonly source: JudgementSource;
  readonly origin: Origin;
  /** How well it went, from 0 to 1. */
  readonly outcome: number;
  /** Default 1. */
  readonly weight?: number;
  /** What was known of the case when it was scored. */
  readonly case: TrustCase;
  /** When the outcome came about, in milliseconds since the epoch; now where it is left out. */
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
       left join tasks k on k.organization = $1 and k.environment = $2 and k.id = e.id
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

/** Forgets what was judged of the outcome of a task that ran again: it is another one. What people decided on its calls stays. */
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

/** Adds what is known of a case now to what people decided of it before it was known. */
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

/** A judged case as it is stored. */
export interface JudgementRow {
  id: string;
  version_id: string;
  source: JudgementSource;
  origin: Origin;
  outcome: number;
  weight: number;
  /** JSON of a {@link TrustCase}. */
  signals: string;
  observed_at: Date;
  judged_at: Date;
}

type Here = CallContext & { readonly db: Pick<Reader, "query"> };

/** The newest judged cases of a skill over all versions of its agent. */
export async function listJudgements(ctx: Here, agent: string, skill: string, most: number): Promise<JudgementRow[]> {
  return ctx.db.query<JudgementRow>(
    `select id, version_id, source, origin, outcome, weight, signals, observed_at, judged_at from trust_judgements
     where organization = $1 and environment = $2 and agent = $3 and skill = $4 order by observed_at desc, id limit $5`,
    [ctx.scope.organization, ctx.scope.environment, agent, skill, most],
  );
}
