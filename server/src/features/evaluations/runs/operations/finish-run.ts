import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { type JudgedCase, listLearntFrom, recordJudgements } from "../../../agents/public.ts";
import { listTaughtInputs } from "../../../tasks/public.ts";
import { announceRuns, evaluationCompleted, gateFailedEvent } from "../../events.ts";
import { type Judgement, judge, judgesBy } from "../../gates/judge.ts";
import { type GateRow, hasVerdict, lockGate } from "../../gates/store.ts";
import { whyNotRun } from "../rules.ts";
import { sealRun } from "../seal.ts";
import {
  endRun,
  findRun,
  holdsBack,
  lockHeldRun,
  type RunEnd,
  type RunRow,
  readCases,
  readScores,
  takeWaiting,
} from "../store.ts";

/** The gate judges or asks for more repeats, results become evidence for trust, and waiting runs are judged. */
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

/** Ended runs of the version no longer wait. */
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
  const keepsVerdict = run.quiet && (await hasVerdict(ctx, run.version_id, gate.revision));
  const news = state === "completed" && !keepsVerdict && judgesBy(gate, run);
  if (!news && !(await holdsBack(ctx, run.version_id, run.id))) return "incomplete";
  return judge(ctx, gate, versionOf(run), { ended: [run.dataset_id], alone: false });
}

/** Judges versions whose runs waited for this one, and announces the runs once there is a verdict, or can be none. */
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

/**
 * The evidence for trust that a run adds: for each item that says something new, the mean of its scores over scorers and repeats. Its id is that of the
 * item, so a newer run over the same dataset replaces the evidence of the one before.
 */
async function newJudgements(
  ctx: WriteContext,
  run: RunRow,
  scores: ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>,
): Promise<JudgedCase[]> {
  const known = await findKnownItems(ctx, run);
  const cases = await readCases(ctx, run.id);
  const { agent, skill, version_id, dataset_id } = run;
  return [...scores].flatMap(([item, repeats]): JudgedCase[] => {
    const own = known.has(item) ? [] : repeats.flatMap((repeat) => Object.values(repeat));
    if (own.length === 0) return [];
    const outcome = own.reduce((sum, score) => sum + score, 0) / own.length;
    const signals = cases.get(item);
    const source = signals ? "evaluation" : "run";
    const id = `${dataset_id}/${item}`;
    return [{ agent, skill, version_id, id, source, origin: "evaluation", outcome, case: signals ?? {} }];
  });
}

/**
 * The names of items that say nothing new of the version: those that it was trained from or that training held out, and those made of tasks, which repeat
 * what was said of the task.
 */
async function findKnownItems(ctx: WriteContext, run: RunRow): Promise<ReadonlySet<string>> {
  const { datasets, inputs, feedback_before: before } = await listLearntFrom(ctx, run);
  const taught = before === null ? [] : await listTaughtInputs(ctx, { agent: run.agent, skill: run.skill, before });
  const rows = await ctx.db.query<{ name: string }>(
    `with own as (
       select organization, name, input, source_task from dataset_items
       where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3))
     select name from own where source_task is not null
     union select own.name from own join unnest($4::text[]) as given(input) using (input)
     union select own.name from json_to_recordset($5::json) as learnt(id text, version int)
       join dataset_items i on i.organization = $1 and i.dataset_id = learnt.id and i.since <= learnt.version and (i.until is null or i.until > learnt.version)
       join own using (input)`,
    [ctx.scope.organization, run.dataset_id, run.dataset_version, [...inputs, ...taught], JSON.stringify(datasets)],
  );
  return new Set(rows.map(({ name }) => name));
}

interface FinishRun {
  readonly run: string;
  /** An earlier attempt that was given up cannot end it. */
  readonly attempt: number;
  readonly ending: RunEnd;
}

interface FinishedRun {
  /** `queued`: the gate asks for more repeats. */
  readonly state: "completed" | "failed" | "queued";
  /** Digest of the scores; absent if the run continues. */
  readonly result?: string;
}
