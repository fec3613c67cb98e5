import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { scoreTrust, startTrustConfig } from "../../../kernel/trust/index.ts";
import { evidenceFacts } from "../evidence-facts.ts";
import { type JudgementRow, listJudgements } from "../evidence-store.ts";
import { fitGroups, type GroupFit, groupVersions, SkillFits, type VersionGroup } from "../trust-fitting.ts";
import { countEnded, type DayScore, listPrints, saveDay, saveFits, takeRefits } from "../trust-store.ts";

export interface FitSkill {
  readonly agent: string;
  readonly skill: string;
}

export interface FittedSkill {
  /** Labels that the maps stand on. */
  readonly labels: number;
}

/** Fits the maps of a skill anew from its judged cases. A call of its own: it moves the scores of all later tasks. */
export const fitSkill: InsideOperation<FitSkill, FittedSkill> = defineInside({
  id: "agents.fitTrust",
  summary: "Fit an agent's trust scores to judged outcomes",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object that could be absent"),
  gate: exempt("makes no agent act"),
  compliance: exempt("learns from judgements that policies saw when they were given"),
  audit: ({ params }) => `agent:${params.agent}`,
  async handle(ctx, { params: { agent, skill } }): Promise<FittedSkill> {
    await takeRefits(ctx, agent, skill);
    const rows = await listJudgements(ctx, agent, skill, startTrustConfig.most_labels);
    const groups = groupVersions(await listPrints(ctx, agent, skill));
    const shares = new Map<VersionGroup, number>();
    for (const group of groups) shares.set(group, await judgedShare(ctx, { agent, skill, group, rows }));
    const fits = fitGroups(groups, rows, (group) => shares.get(group) ?? 0);
    await saveFits(ctx, agent, skill, fits);
    await saveDay(ctx, agent, skill, dayScores(fits, ctx.now));
    ctx.touch(evidenceFacts);
    return { labels: rows.length };
  },
});

/** π: judged live tasks among those that ended up to the newest label. */
async function judgedShare(
  ctx: WriteContext,
  { agent, skill, group, rows }: { agent: string; skill: string; group: VersionGroup; rows: readonly JudgementRow[] },
): Promise<number> {
  const live = rows.filter(({ version_id, origin }) => group.members.has(version_id) && origin !== "evaluation");
  if (live.length === 0) return 0;
  const until = live.reduce((last, { judged_at }) => (judged_at > last ? judged_at : last), new Date(0));
  const ended = await countEnded(ctx, { agent, skill, group, until, most: 5 * live.length + 1_000 });
  return ended === 0 ? 1 : Math.min(1, live.length / ended);
}

function dayScores(fits: readonly GroupFit[], now: number): DayScore[] {
  return [...Map.groupBy(fits, ({ versionId }) => versionId)].map(([versionId, own]) => {
    const { main } = new SkillFits(new Map(own.map(({ fit }) => [fit.basis, fit])), new Map());
    const labels = own.reduce(
      (sum, { fit }) => sum + fit.labels.evaluation + fit.labels.random + fit.labels.volunteered,
      0,
    );
    return { versionId, trust: scoreTrust(main, main.typical, now, startTrustConfig), labels };
  });
}
