import { touchFacts } from "../../../../db/facts.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import type { Statements, Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { scoreTrust, startTrustConfig } from "../../../../kernel/trust/index.ts";
import { fingerprintOlder, type JudgementRow, listJudgements } from "../evidence-store.ts";
import { evidenceFacts } from "../facts.ts";
import { fitGroups, type GroupFit, groupVersions, SkillFits, type VersionGroup } from "../rules.ts";
import { countEnded, type DayScore, listFingerprints, saveDay, saveFits, takeRefits } from "../store.ts";

interface FitSkill {
  readonly agent: string;
  readonly skill: string;
}

export interface FittedSkill {
  readonly labels: number;
}

/** A call of its own: it changes the scores of all later tasks. */
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
    const groups = groupVersions(await listFingerprints(ctx, agent, skill));
    const shares = new Map<VersionGroup, number>();
    for (const group of groups) shares.set(group, await judgedShare(ctx, { agent, skill, group, rows }));
    const fits = fitGroups(groups, rows, (group) => shares.get(group) ?? 0);
    await saveFits(ctx, agent, skill, fits);
    await saveDay(ctx, agent, skill, dayScores(fits, ctx.now));
    ctx.touch(evidenceFacts);
    return { labels: rows.length };
  },
});

/** π: judged live tasks among those that ended before the newest label. */
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

const most = { skills: 20, versions: 20 };

interface Due {
  readonly organization: string;
  readonly environment: Environment;
  readonly agent: string;
  readonly skill: string;
}

/** Skills with judgements at least a second old, oldest first: many that come together make one refit. */
async function listDue(db: Statements): Promise<Due[]> {
  return db.query<Due>(
    `select organization, environment, agent, skill from trust_refits group by 1, 2, 3, 4
     having min(created_at) <= now() - interval '1 second' order by min(created_at) limit $1`,
    [most.skills],
  );
}

/** Other processes learn of them with the transaction. */
async function fingerprintVersions(db: Statements): Promise<void> {
  await db.query("begin");
  try {
    if ((await fingerprintOlder(db, most.versions)) > 0) await db.query(touchFacts, [[evidenceFacts.topic]]);
    await db.query("commit");
  } catch (error) {
    await db.query("rollback");
    throw error;
  }
}

/** Refits judged skills. If a refit is lost, its request remains. */
export const evidenceSweep: Sweep = {
  name: "agents.evidence",
  async run({ db, inside }) {
    await fingerprintVersions(db);
    const failures: unknown[] = [];
    for (const { agent, skill, ...scope } of await listDue(db)) {
      // One skill that fails keeps no other waiting.
      await inside(fitSkill, scope, { agent, skill }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  },
};
