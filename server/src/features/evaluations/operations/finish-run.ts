import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { recordJudgements } from "../../agents/public.ts";
import { announceRuns, evaluationCompleted, gateFailedEvent } from "../events.ts";
import { type Judgement, judge, judgesBy } from "../gate-judge.ts";
import { type GateRow, hasVerdict, lockGate } from "../gate-store.ts";
import { readScores } from "../result-store.ts";
import { newJudgements } from "../run-evidence.ts";
import { whyNotRun } from "../run-model.ts";
import { sealRun } from "../run-seal.ts";
import { endRun, findRun, holdsBack, lockHeldRun, type RunEnd, type RunRow, takeWaiting } from "../run-store.ts";

export interface FinishRun {
  readonly run: string;
  /** An earlier attempt, which was taken for lost, can no longer end it. */
  readonly attempt: number;
  readonly ending: RunEnd;
}

export interface FinishedRun {
  /** `queued`: the gate asks for more repeats. */
  readonly state: "completed" | "failed" | "queued";
  /** Digest of its scores; absent if it goes on. */
  readonly result?: string;
}

/** Ends a run: the gate judges or asks for more repeats, results become evidence for trust, and runs that waited for this one are judged. */
export const finishRun: InsideOperation<FinishRun, FinishedRun> = defineInside({
  id: "evaluations.finishRun",
  summary: "Finish a run of a dataset",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FinishRun) => findRun(ctx, params.run),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params, output }) => ({ object: `run:${params.run}`, result: output?.result ?? null }),
  emits: [evaluationCompleted, gateFailedEvent],
  errors: [conflict],
  async handle(ctx, { params: { run: id, attempt, ending }, loaded }): Promise<FinishedRun> {
    const gate = await lockGate(ctx, loaded.agent);
    const run = await lockHeldRun(ctx, id, attempt);
    if (!run)
      throw refuse(conflict, "The attempt no longer holds the run, so it cannot end it. Nothing needs to be done.");
    const failure = ending.state === "failed" ? null : await whyNotRun(ctx, run);
    const state = await endRun(ctx, run, failure === null ? ending : { state: "failed", stoppedBy: null, failure });
    const judgement = await judgeEnded(ctx, gate, run, state);
    if (judgement === "extended" && (await findRun(ctx, id))?.state === "queued") return { state: "queued" };
    const scores = await readScores(ctx, id);
    const result = await sealRun(ctx, id, state, scores);
    if (!run.quiet) await recordJudgements(ctx, await newJudgements(ctx, run, scores));
    const waits = judgement === "waits" && state === "completed" && gate !== undefined && judgesBy(gate, run);
    if (settled(judgement)) await announceRuns(ctx, run.version_id);
    else if (!waits) await announceRuns(ctx, run.version_id, id);
    await judgeWaiting(ctx, gate, id);
    return { state, result };
  },
});

/** The version's runs that have ended have nothing more to wait for. */
const settled = (judgement: Judgement): boolean => judgement === "judged" || judgement === "incomplete";
const versionOf = ({ version_id, version_number }: RunRow) => ({ id: version_id, number: version_number });

/**
 * Judges the version of a run that has ended, by this run or by others that waited for it. Repeats that only served the comparison with another version
 * leave an existing verdict as it is.
 */
async function judgeEnded(
  ctx: WriteContext,
  gate: GateRow | undefined,
  run: RunRow,
  state: RunEnd["state"],
): Promise<Judgement> {
  if (!gate) return "incomplete";
  const standing = run.quiet && (await hasVerdict(ctx, run.version_id, gate.revision));
  const news = state === "completed" && !standing && judgesBy(gate, run);
  if (!news && !(await holdsBack(ctx, run.version_id, run.id))) return "incomplete";
  return judge(ctx, gate, versionOf(run), { ended: [run.dataset_id], alone: false });
}

/** Judges the versions whose runs waited for this one, and announces the runs once there is a verdict, or can be none. */
async function judgeWaiting(ctx: WriteContext, gate: GateRow | undefined, id: string): Promise<void> {
  const waiting = Map.groupBy(await takeWaiting(ctx, id), (run) => run.version_id);
  if (waiting.size === 0) return;
  const alone = (await findRun(ctx, id))?.whole !== true;
  for (const [version, runs] of waiting) {
    const occasion = { ended: runs.map((run) => run.dataset_id), alone };
    const judgement = gate ? await judge(ctx, gate, versionOf(runs[0] as RunRow), occasion) : "incomplete";
    if (settled(judgement)) await announceRuns(ctx, version);
  }
}
