import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { fitDigest, type TrustScore } from "../../kernel/trust/index.ts";
import type { GroupFit, PrintedSkill, VersionGroup } from "./trust-fitting.ts";

type Here = CallContext & { readonly db: Pick<Reader, "query"> };
const at = ({ scope }: CallContext): string[] => [scope.organization, scope.environment];

/** The versions of an agent's skill by their prints. */
export async function listPrints({ db, scope }: Here, agent: string, skill: string): Promise<PrintedSkill[]> {
  return db.query<PrintedSkill>(
    "select version_id, number, model, behaviour from skill_prints where organization = $1 and agent = $2 and skill = $3",
    [scope.organization, agent, skill],
  );
}

/** Takes what asks for a refit of a skill. What is recorded later asks anew. */
export async function takeRefits(ctx: WriteContext, agent: string, skill: string): Promise<void> {
  await ctx.db.query(
    "delete from trust_refits where organization = $1 and environment = $2 and agent = $3 and skill = $4",
    [...at(ctx), agent, skill],
  );
}

/**
 * How many live tasks of a group ended until a moment, as far as it is needed: among more than five times as many as were judged, the share no longer changes what
 * a fit makes of volunteered labels.
 */
export async function countEnded(
  ctx: WriteContext,
  {
    agent,
    skill,
    group,
    until,
    most,
  }: { agent: string; skill: string; group: VersionGroup; until: Date; most: number },
): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `select count(*)::int as n from (
       select from tasks where organization = $1 and environment = $2 and agent = $3 and status in ('completed', 'failed') and skill = $4
         and version_id = any($5::text[]) and finished_at <= $6 limit $7) ended`,
    [...at(ctx), agent, skill, [...group.members], until, most],
  );
  return row?.n ?? 0;
}

/** Puts the maps of a skill in the place of its earlier ones, which stay as long as the bodies of the calls whose scores name them: 400 days. */
export async function saveFits(
  ctx: WriteContext,
  agent: string,
  skill: string,
  fits: readonly GroupFit[],
): Promise<void> {
  await ctx.db.query(
    `with gone as (
       delete from trust_fits where organization = $1 and environment = $2 and agent = $3 and skill = $4 and not current and fitted_at < now() - interval '400 days')
     update trust_fits set current = false, reliability = '' where organization = $1 and environment = $2 and agent = $3 and skill = $4 and current`,
    [...at(ctx), agent, skill],
  );
  await ctx.db.query(
    `insert into trust_fits (organization, environment, agent, skill, version_id, digest, basis, fit, reliability, current, fitted_at)
     select $1, $2, $3, $4, f.*, true, $10 from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[]) as f
     on conflict (organization, environment, agent, skill, version_id, digest) do update set current = true, reliability = excluded.reliability, fitted_at = excluded.fitted_at`,
    [
      ...at(ctx),
      agent,
      skill,
      fits.map(({ versionId }) => versionId),
      fits.map(({ fit }) => fitDigest(fit)),
      fits.map(({ fit }) => fit.basis),
      fits.map(({ fit }) => JSON.stringify(fit)),
      fits.map(({ reliability }) => JSON.stringify(reliability)),
      new Date(ctx.now),
    ],
  );
}

/** What tasks of a group begin with from now on. */
export interface DayScore {
  readonly versionId: string;
  readonly trust: Pick<TrustScore, "score" | "low" | "high">;
  readonly labels: number;
}

/** Keeps the scores as those of the day. */
export async function saveDay(
  ctx: WriteContext,
  agent: string,
  skill: string,
  scores: readonly DayScore[],
): Promise<void> {
  await ctx.db.query(
    `insert into trust_days (organization, environment, agent, skill, version_id, day, score, low, high, labels)
     select $1, $2, $3, $4, d.version_id, ($10::timestamptz at time zone 'UTC')::date, d.score, d.low, d.high, d.labels
     from unnest($5::text[], $6::float8[], $7::float8[], $8::float8[], $9::int[]) as d(version_id, score, low, high, labels)
     on conflict (organization, environment, agent, skill, version_id, day) do update set score = excluded.score, low = excluded.low, high = excluded.high,
       labels = excluded.labels`,
    [
      ...at(ctx),
      agent,
      skill,
      scores.map(({ versionId }) => versionId),
      scores.map(({ trust }) => trust.score),
      scores.map(({ trust }) => trust.low),
      scores.map(({ trust }) => trust.high),
      scores.map(({ labels }) => labels),
      new Date(ctx.now),
    ],
  );
}

/** The score of a skill at the end of a day. */
export interface DayRow {
  skill: string;
  version_id: string;
  /** `2026-11-20` */
  day: string;
  score: number;
  low: number;
  high: number;
  labels: number;
}

/** Scores by day of versions of an agent, with the last ones before `from` (`2026-11-20`). */
export async function listDays(ctx: Here, agent: string, versions: readonly string[], from: string): Promise<DayRow[]> {
  return ctx.db.query<DayRow>(
    `select skill, version_id, day::text as day, score, low, high, labels from trust_days d
     where organization = $1 and environment = $2 and agent = $3 and version_id = any($4::text[]) and day >= coalesce(
       (select max(day) from trust_days b where b.organization = d.organization and b.environment = d.environment and b.agent = d.agent and b.skill = d.skill
          and b.version_id = d.version_id and b.day < $5::date), $5::date)
     order by day`,
    [...at(ctx), agent, versions, from],
  );
}
