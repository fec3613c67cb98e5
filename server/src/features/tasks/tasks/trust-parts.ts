import type { ReadContext } from "../../../kernel/context.ts";
import { trustJudgementRows } from "../../agents/shared-rows.ts";
import { startingTrust } from "../dispatch/rules.ts";
import type { Task, TaskTrust } from "../schemas.ts";
import { taskJson } from "./row.ts";
import type { TaskRow } from "./store.ts";

const logitOf = (p: number): number => Math.log(p / (1 - p));
const sigma = (z: number): number => 1 / (1 + Math.exp(-z));
/** Four decimals, as all scores. */
const shown = (value: number): number => Math.round(value * 1e4) / 1e4;

/** The parts of a score, those that moved it most first. `calibration`: of scores by a rule before `trust-3`, whose z passes through a line before it becomes the score. */
export function partsOf({ score, parts, calibration }: Task["trust"]): TaskTrust["parts"] {
  const slope = calibration?.a ?? 1;
  const listed = Object.entries(parts).map(([name, adds]) => {
    const without = score <= 0 || score >= 1 ? score : sigma(logitOf(score) - slope * adds);
    return { name, adds, score_without: shown(without) };
  });
  return listed.sort((a, b) => Math.abs(b.score_without - score) - Math.abs(a.score_without - score));
}

type Judgement = { source: TaskTrust["judgements"][number]["source"]; outcome: number; judged_at: Date };

/** How a task itself was judged. Items of evaluations are not tasks. */
async function listJudgements({ scope, db }: ReadContext, task: TaskRow): Promise<Judgement[]> {
  return db.query<Judgement>(
    `select source, outcome, judged_at from ${trustJudgementRows} j
     where organization = $1 and environment = $2 and agent = $3 and skill = $4 and id = $5 and source <> 'evaluation' order by judged_at`,
    [scope.organization, scope.environment, task.agent, task.skill, task.id],
  );
}

export async function trustOfTask(ctx: ReadContext, row: TaskRow): Promise<TaskTrust> {
  const trust = taskJson(row, "trust");
  const parts = partsOf(trust);
  const now = startingTrust(ctx, row.version_id, row.skill);
  const judgements = await listJudgements(ctx, row);
  return {
    task_id: row.id,
    score: trust.score,
    low: trust.low,
    high: trust.high,
    log_odds: parts.reduce((sum, { adds }) => sum + adds, 0),
    parts,
    case: { ...trust.case },
    digest: trust.digest,
    scored: row.status === "completed" ? "at_end" : "at_start",
    skill_now: { score: now.score, low: now.low, high: now.high },
    judgements: judgements.map(({ judged_at, ...judgement }) => ({ ...judgement, judged_at: judged_at.toISOString() })),
  };
}
