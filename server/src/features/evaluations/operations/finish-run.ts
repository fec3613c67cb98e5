import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { replaceEvidence } from "../../agents/public.ts";
import { readItems } from "../dataset-store.ts";
import { judgeRun } from "../decide.ts";
import { evaluationCompleted, gateFailedEvent } from "../events.ts";
import { type GateRow, lockGate } from "../gate-store.ts";
import { runFigures, type ScoresByItem } from "../measures.ts";
import { readScores } from "../result-store.ts";
import { endRun, findRun, lockHeldRun, type RunEnd, type RunRow, takeWaiting } from "../run-store.ts";

export interface FinishRun {
  readonly run: string;
  /** The attempt that ends it; an earlier one, which was taken for lost, no longer can. */
  readonly attempt: number;
  readonly ending: RunEnd;
}

export interface FinishedRun {
  /** `queued`: a gate asks for more repeats. */
  readonly state: "completed" | "failed" | "queued";
}

/** Ends a run: the gate draws its verdict or asks for more, what was seen becomes evidence, and runs that waited for this one are judged. */
export const finishRun: InsideOperation<FinishRun, FinishedRun> = defineInside({
  id: "evaluations.finishRun",
  summary: "Finish a run of a test set",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FinishRun) => findRun(ctx, params.run),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }) => ({ object: `run:${params.run}` }),
  emits: [evaluationCompleted, gateFailedEvent],
  errors: [conflict],
  async handle(ctx, { params: { run: id, attempt, ending }, loaded }): Promise<FinishedRun> {
    const gate = await lockGate(ctx, loaded.agent);
    const run = await lockHeldRun(ctx, id, attempt);
    if (!run) throw refuse(conflict, "The run is no longer in the hands of this attempt, so it was not ended.");
    const state = await endRun(ctx, id, ending);
    const judgement = state === "failed" || run.quiet ? "incomplete" : await judgeRun(ctx, gate, run);
    if (judgement === "extended") return { state: "queued" };
    if (!run.quiet) {
      await replaceEvidence(ctx, evidenceOf(run, await readScores(ctx, id)));
      if (judgement !== "waits") await announce(ctx, id);
    }
    await judgeWaiting(ctx, gate, id);
    return { state };
  },
});

/** Judges the runs that waited for this one; each is announced once it has its verdict, or can have none. */
async function judgeWaiting(ctx: WriteContext, gate: GateRow | undefined, id: string): Promise<void> {
  const waiting = await takeWaiting(ctx, id);
  if (waiting.length === 0) return;
  const alone = (await findRun(ctx, id))?.whole !== true;
  for (const run of waiting) {
    const judgement = await judgeRun(ctx, gate, run, alone);
    if (judgement === "judged" || judgement === "incomplete") await announce(ctx, run.id);
  }
}

/**
 * One item of evidence for each item of the set: the mean of its scores, over scorers and repeats. By its name in the set: the newest run takes the place of
 * the ones before, since the same cases run again are no further cases.
 */
function evidenceOf(run: RunRow, scores: ScoresByItem) {
  return [...scores].flatMap(([item, repeats]) => {
    const own = repeats.flatMap((repeat) => Object.values(repeat));
    if (own.length === 0) return [];
    const outcome = own.reduce((sum, score) => sum + score, 0) / own.length;
    const id = `${run.dataset_id}/${item}`;
    return [{ version_id: run.version_id, skill: run.skill, id, channel: "evaluations" as const, outcome, quality: 1 }];
  });
}

async function announce(ctx: WriteContext, id: string): Promise<void> {
  const run = (await findRun(ctx, id)) as RunRow;
  const items = await readItems(ctx.db, ctx.scope.organization, run.dataset_id, run.dataset_version);
  const figures = runFigures(run.scorers, items, await readScores(ctx, id));
  ctx.emit(evaluationCompleted, {
    run_id: run.id,
    agent: run.agent,
    version: run.version_number,
    dataset: run.dataset_name,
    state: run.state === "failed" ? "failed" : "completed",
    verdict: run.verdict,
    scores: Object.fromEntries(figures.map(({ scorer, score }) => [scorer, score.mean])),
  });
}
