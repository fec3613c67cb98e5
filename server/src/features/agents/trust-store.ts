import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { CalibrationFit, TrustLabel } from "../../kernel/trust/calibration.ts";
import type { Channel } from "../../kernel/trust/index.ts";
import { type BinSums, RELIABILITY_BINS } from "../../kernel/trust/reliability.ts";

type Here = CallContext & { readonly db: Pick<Reader, "query"> };
const at = ({ scope }: CallContext): string[] => [scope.organization, scope.environment];

/** What a channel won on a version's skill on one day of UTC, decayed to its end as of noon; of all days before the first that is asked for, on the day before it. */
export interface DayRow {
  version_id: string;
  skill: string;
  channel: Channel;
  /** `2026-11-20` */
  day: string;
  items: number;
  S: number;
  F: number;
}

/** Sums by day from `from` (`2026-11-20`) on, and of all that was before. */
export async function listDays(ctx: Here, versions: readonly string[], from: string, halfLifeDays: number): Promise<DayRow[]> {
  return ctx.db.query<DayRow>(
    `select version_id, skill, channel, day::text as day, sum(items)::int as items, sum(successes * w) as "S", sum(failures * w) as "F"
     from (select d.version_id, d.skill, d.channel, greatest(d.day, $4::date - 1) as day, items, successes, failures,
             power(2::float8, -(greatest(d.day, $4::date - 1) - d.day + 0.5::float8) / $5) as w
           from trust_evidence_days d where organization = $1 and environment = $2 and version_id = any($3::text[])) d
     group by version_id, skill, channel, day order by day`,
    [...at(ctx), versions, from, halfLifeDays],
  );
}

/** Bins of the reliability curve over the labels of an agent since a time. */
export async function sumBins(ctx: Here, agent: string, since: Date): Promise<BinSums[]> {
  return ctx.db.query<BinSums>(
    `select least($5 - 1, floor(score * $5))::int as bin, count(*)::int as n, sum(score) as scores, sum(outcome) as outcomes,
       sum((score - outcome) ^ 2) as squares
     from trust_labels where organization = $1 and environment = $2 and agent = $3 and labelled_at >= $4 group by 1`,
    [...at(ctx), agent, since, RELIABILITY_BINS],
  );
}

/** A calibration as it is stored. */
export interface CalibrationRow {
  a: number;
  b: number;
  adopted: boolean;
  labels: number;
  labelled_until: Date;
  /** JSON of the {@link CalibrationFit}. */
  report: string;
  fitted_at: Date;
}

/** The calibration of an agent's scores in the call's environment, and how many labels there are. */
export async function findCalibration(ctx: Here, agent: string): Promise<{ row: CalibrationRow | undefined; labels: number }> {
  const [rows, [counted]] = await Promise.all([
    ctx.db.query<CalibrationRow>(
      "select a, b, adopted, labels, labelled_until, report, fitted_at from trust_calibrations where organization = $1 and environment = $2 and agent = $3",
      [...at(ctx), agent],
    ),
    ctx.db.query<{ n: number }>("select count(*)::int as n from trust_labels where organization = $1 and environment = $2 and agent = $3", [
      ...at(ctx),
      agent,
    ]),
  ]);
  return { row: rows[0], labels: counted?.n ?? 0 };
}

/** The newest labels of an agent in the call's environment, in an order that has nothing to do with them, and when the newest was given. */
export async function listLabels(ctx: Here, agent: string, most: number): Promise<{ labels: TrustLabel[]; until: Date | null }> {
  const rows = await ctx.db.query<TrustLabel & { labelled_at: Date }>(
    `select z, outcome, labelled_at from (
       select task_id, z, outcome, labelled_at from trust_labels where organization = $1 and environment = $2 and agent = $3
       order by labelled_at desc, task_id desc limit $4) newest order by md5(task_id)`,
    [...at(ctx), agent, most],
  );
  const until = rows.reduce<Date | null>((last, { labelled_at }) => (last === null || labelled_at > last ? labelled_at : last), null);
  return { labels: rows.map(({ z, outcome }) => ({ z, outcome })), until };
}

/** Puts a calibration in the place of an agent's earlier one. */
export async function saveCalibration(ctx: WriteContext, agent: string, fit: CalibrationFit, until: Date): Promise<void> {
  const { a, b } = fit.calibration;
  await ctx.db.query(
    `insert into trust_calibrations (organization, environment, agent, a, b, adopted, labels, labelled_until, report, fitted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (organization, environment, agent) do update set a = excluded.a, b = excluded.b, adopted = excluded.adopted, labels = excluded.labels,
       labelled_until = excluded.labelled_until, report = excluded.report, fitted_at = excluded.fitted_at`,
    [...at(ctx), agent, a, b, fit.adopted, fit.n, until, JSON.stringify(fit), new Date(ctx.now)],
  );
}

/** An agent in an environment. */
export interface LabelledAgent {
  readonly organization: string;
  readonly environment: Environment;
  readonly agent: string;
}

/**
 * Of agents that were labelled just now, those whose calibration is due: `least` labels without one, or a twentieth more than it was judged by, at least 20.
 */
export async function listDueCalibrations(db: Statements, agents: readonly LabelledAgent[], least: number): Promise<LabelledAgent[]> {
  return db.query<LabelledAgent>(
    `select g.organization, g.environment, g.agent
     from unnest($1::text[], $2::text[], $3::text[]) as g(organization, environment, agent)
     left join trust_calibrations c on c.organization = g.organization and c.environment = g.environment and c.agent = g.agent
     cross join lateral (
       select count(*) as n from trust_labels l where l.organization = g.organization and l.environment = g.environment and l.agent = g.agent
         and (c.labelled_until is null or l.labelled_at > c.labelled_until)) fresh
     where fresh.n >= case when c.agent is null then $4 else greatest(20, c.labels / 20) end`,
    [agents.map((one) => one.organization), agents.map((one) => one.environment), agents.map((one) => one.agent), least],
  );
}
