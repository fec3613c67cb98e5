import { all, first, insert, remove, select, sql, update } from "../../../db/scoped.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { fitDigest, type TrustScore } from "../../../kernel/trust/index.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import type { FingerprintedSkill, GroupFit, VersionGroup } from "./rules.ts";

export async function listFingerprints(ctx: QueryContext, agent: string, skill: string): Promise<FingerprintedSkill[]> {
  const fingerprints = select(ctx, "skill_prints", "p").where("p.agent", "=", agent).where("p.skill", "=", skill);
  return all(ctx, fingerprints.select(["p.version_id", "p.number", "p.model", "p.behaviour"]));
}

/** Judgements recorded later request another refit. */
export async function takeRefits(ctx: WriteContext, agent: string, skill: string): Promise<void> {
  await all(ctx, remove(ctx, "trust_refits").where("agent", "=", agent).where("skill", "=", skill));
}

interface EndedTasks {
  readonly agent: string;
  readonly skill: string;
  readonly group: VersionGroup;
  readonly until: Date;
  readonly most: number;
}

/** Live tasks of a group that ended by `until`, up to `most`: beyond five times the judged ones, the share no longer changes a fit. */
export async function countEnded(ctx: WriteContext, { agent, skill, group, until, most }: EndedTasks): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `select count(*)::int as n from (
       select from ${taskRows} tasks where organization = $1 and environment = $2 and agent = $3 and status in ('completed', 'failed') and skill = $4
         and version_id = any($5::text[]) and finished_at <= $6 limit $7) ended`,
    [ctx.scope.organization, ctx.scope.environment, agent, skill, [...group.members], until, most],
  );
  return row?.n ?? 0;
}

/** Replaced maps stay for 400 days, as long as the bodies of the calls whose scores name them. */
export async function saveFits(ctx: WriteContext, agent: string, skill: string, fits: readonly GroupFit[]) {
  const old = remove(ctx, "trust_fits")
    .where("agent", "=", agent)
    .where("skill", "=", skill)
    .where("current", "=", false);
  await all(ctx, old.where("fitted_at", "<", sql<Date>`now() - interval '400 days'`));
  const current = update(ctx, "trust_fits")
    .where("agent", "=", agent)
    .where("skill", "=", skill)
    .where("current", "=", true);
  await all(ctx, current.set({ current: false, reliability: "" }));
  const rows = fits.map(({ versionId, fit, reliability }) => ({
    agent,
    skill,
    version_id: versionId,
    digest: fitDigest(fit),
    basis: fit.basis,
    fit: JSON.stringify(fit),
    reliability: JSON.stringify(reliability),
    current: true,
    fitted_at: new Date(ctx.now),
  }));
  if (rows.length === 0) return;
  const added = insert(ctx, "trust_fits", rows).onConflict((conflict) =>
    conflict.columns(["organization", "environment", "agent", "skill", "version_id", "digest"]).doUpdateSet((row) => ({
      current: true,
      reliability: row.ref("excluded.reliability"),
      fitted_at: row.ref("excluded.fitted_at"),
    })),
  );
  await all(ctx, added);
}

export interface DayScore {
  readonly versionId: string;
  readonly trust: Pick<TrustScore, "score" | "low" | "high">;
  readonly labels: number;
}

/** Replaces the scores of the day. */
export async function saveDay(ctx: WriteContext, agent: string, skill: string, scores: readonly DayScore[]) {
  const day = timestamp(ctx.now).slice(0, 10);
  for (const { versionId: version_id, trust, labels } of scores) {
    const score = { score: trust.score, low: trust.low, high: trust.high, labels };
    const row = insert(ctx, "trust_days", { agent, skill, version_id, day, ...score });
    const key = ["organization", "environment", "agent", "skill", "version_id", "day"] as const;
    await first(
      ctx,
      row.onConflict((conflict) => conflict.columns(key).doUpdateSet(score)),
    );
  }
}

export interface DayRow {
  skill: string;
  version_id: string;
  day: string;
  score: number;
  low: number;
  high: number;
  labels: number;
}

/** Includes the last scores before `from` (`2026-11-20`). */
export async function listDays(
  ctx: QueryContext,
  agent: string,
  versions: readonly string[],
  from: string,
): Promise<DayRow[]> {
  return ctx.db.query<DayRow>(
    `select skill, version_id, day::text as day, score, low, high, labels from trust_days d
     where organization = $1 and environment = $2 and agent = $3 and version_id = any($4::text[]) and day >= coalesce(
       (select max(day) from trust_days b where b.organization = d.organization and b.environment = d.environment and b.agent = d.agent and b.skill = d.skill
          and b.version_id = d.version_id and b.day < $5::date), $5::date)
     order by day`,
    [ctx.scope.organization, ctx.scope.environment, agent, versions, from],
  );
}
