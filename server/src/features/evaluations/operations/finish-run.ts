import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { TrustCase } from "../../../kernel/trust/index.ts";
import { type JudgedCase, recordJudgements } from "../../agents/public.ts";
import { announceRuns } from "../announce.ts";
import { evaluationCompleted, gateFailedEvent } from "../events.ts";
import { type Judgement, judge, judgesBy } from "../gate-judge.ts";
import { type GateRow, hasVerdict, lockGate } from "../gate-store.ts";
import { findKnownItems } from "../known-items.ts";
import type { ScoresByItem } from "../measures.ts";
import { readCases, readScores } from "../result-store.ts";
import { sealRun } from "../run-seal.ts";
import { endRun, findRun, holdsBack, lockHeldRun, type RunEnd, type RunRow, takeWaiting } from "../run-store.ts";

export interface FinishRun {
  readonly run: string;
  /** The attempt that ends it; an earlier one, which was taken for lost, no longer can. */
  readonly attempt: number;
  readonly ending: RunEnd;
}

export interface FinishedRun {
  /** `queued`: a gate asks for more repeats. */
  readonly state: "completed" | "failed" | "queued";
  /** Digest of what it scored; absent where it goes on. */
  readonly result?: string;
}

/** Ends a run: the gate draws its verdict or asks for more, what was seen becomes evidence, and runs that waited for this one are judged. */
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
    if (!run) throw refuse(conflict, "The run is no longer in the hands of this attempt, so it was not ended.");
    const state = await endRun(ctx, id, ending);
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

/** Nothing more is to come for the runs of a version that have ended. */
const settled = (judgement: Judgement): boolean => judgement === "judged" || judgement === "incomplete";
const versionOf = ({ version_id, version_number }: RunRow) => ({ id: version_id, number: version_number });

/**
 * Judges the version of a run that has ended, by this run or by others that waited until it had. Repeats that only served the comparison with another
 * version leave the verdict alone, where there is one.
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

/** Judges the versions whose runs waited for this one; the runs are announced once there is a verdict, or can be none. */
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

/** What a run says that its version was not told before, and that nobody has said of a task. */
async function newJudgements(ctx: WriteContext, run: RunRow, scores: ScoresByItem): Promise<JudgedCase[]> {
  const known = await findKnownItems(ctx, run);
  const fresh = new Map([...scores].filter(([item]) => !known.has(item)));
  return fresh.size === 0 ? [] : judgementsOf(run, fresh, await readCases(ctx, run.id));
}

/**
 * One item of evidence for each item of the set: the mean of its scores, over scorers and repeats. By its name in the set: the newest run takes the place of
 * the ones before, since the same cases run again are no further cases.
 */
function judgementsOf(run: RunRow, scores: ScoresByItem, cases: ReadonlyMap<string, TrustCase>): JudgedCase[] {
  const { agent, skill, version_id } = run;
  return [...scores].flatMap(([item, repeats]) => {
    const own = repeats.flatMap((repeat) => Object.values(repeat));
    if (own.length === 0) return [];
    const outcome = own.reduce((sum, score) => sum + score, 0) / own.length;
    const id = `${run.dataset_id}/${item}`;
    const known = cases.get(item);
    return [
      {
        agent,
        skill,
        version_id,
        id,
        source: known ? "evaluation" : "run",
        origin: "evaluation",
        outcome,
        case: known ?? {},
      },
    ];
  });
}
