import type { WriteContext } from "../../kernel/context.ts";
import { decideGate, type GateDecision } from "../../kernel/gate/index.ts";
import { announceRuns } from "./announce.ts";
import { readItems } from "./dataset-store.ts";
import { gateFailedEvent } from "./events.ts";
import { gateFacts } from "./facts.ts";
import type { GateDefinition } from "./gate-rules.ts";
import { dropOldVerdicts, findLiveVersion, type GateRow, type LiveVersion, listMeasuredVersions, storeVerdict } from "./gate-store.ts";
import { byItem, gateScorer, type MeasuredSet } from "./measures.ts";
import { readResults } from "./result-store.ts";
import { runJob } from "./run-model.ts";
import {
  type EvidenceRule,
  extendRun,
  findRunOf,
  findWholeRuns,
  insertRun,
  listUnderWay,
  type RunRow,
  setRunVerdict,
} from "./run-store.ts";
import { findScorerVersions, type ScorerRow } from "./scorer-store.ts";

const dayMs = 86_400_000;
/** Versions that are judged anew when a gate is set. */
const mostJudgedAnew = 10;

/** A version under judgement. */
export interface Version {
  readonly id: string;
  readonly number: number;
}

/** What came of a judgement: a verdict, more repeats, the wait for runs that are under way, or nothing, since a set lacks its run. */
export type Judgement = "judged" | "extended" | "waits" | "incomplete";

/** On what occasion a version is judged. */
export interface Occasion {
  /** Sets whose runs have ended now; runs over the gate's other sets that are under way are waited for. Null: none, so that it is judged by what there is. */
  readonly ended: readonly string[] | null;
  /** A run of the deployed version that it waited for came to nothing, so it is judged by what there is of it. */
  readonly alone: boolean;
}

/** Whether a gate can judge by a run once it has ended: the gate pins its dataset version, and asks for no more repeats than it has. */
export function judgesBy({ definition: { datasets, repeats } }: GateRow, run: RunRow): boolean {
  const pinned = datasets.some(({ dataset_id, version }) => dataset_id === run.dataset_id && version === run.dataset_version);
  return pinned && run.repeats >= repeats;
}

/** Judges the versions of an agent by a gate that was just set, from runs that there are, and announces those that waited; verdicts of the gate before are gone. */
export async function judgeAnew(ctx: WriteContext, gate: GateRow): Promise<void> {
  await dropOldVerdicts(ctx, gate.agent, gate.revision);
  const versions = await listMeasuredVersions(ctx, gate.agent, gate.definition, mostJudgedAnew);
  for (const version of versions) {
    const judgement = await judge(ctx, gate, version, { ended: null, alone: false });
    if (judgement === "judged") await announceRuns(ctx, version.id);
  }
}

/** Judges a version by its newest runs over the gate's sets, where there is one over each. The call holds the gate (`lockGate`). */
export async function judge(ctx: WriteContext, gate: GateRow, version: Version, { ended, alone }: Occasion): Promise<Judgement> {
  const { datasets } = gate.definition;
  const runs = await findWholeRuns(ctx, version.id, gate.definition);
  const awaits = ended !== null && (await awaitsOthers(ctx, gate.definition, version, { runs, ended }));
  if (runs.length < datasets.length) return awaits ? "waits" : "incomplete";
  const live = await findLiveVersion(ctx, gate.agent);
  // A skill that the deployed version lacks is new: there is nothing to be worse than.
  const compared = live !== undefined && live.id !== version.id && runs.some(({ skill }) => live.skills.includes(skill));
  const others = compared ? await runsOf(ctx, live, runs, { ...gate.definition, finished: alone || awaits }) : [];
  const waiting = runs.flatMap((run, at) => (others[at] && others[at].state !== "completed" ? [[run, others[at]] as const] : []));
  if (waiting.length > 0) {
    for (const [run, other] of waiting) await setRunVerdict(ctx, run.id, { verdict: null, decision: null, waitsFor: other.id });
    return "waits";
  }
  const sets = await Promise.all(runs.map((run, at) => measuredSet(ctx, run, others[at], datasets.length > 1)));
  const { scorers, silent } = await scorersOf(ctx, gate.definition, sets);
  const look = Math.max(...runs.map((run) => run.look));
  const uncompared = compared
    ? runs.filter(({ skill }, at) => live.skills.includes(skill) && !others[at]).map((run) => run.dataset_name)
    : [];
  const decision = scorers.length === 0 ? null : decideGate({ rule: gate.definition, compared, uncompared, look, scorers });
  const found = { runs, others, decision, silent, against: live?.id ?? null };
  if (awaits) {
    // Only what would open the gate is worth the wait: whoever keeps starting runs would else put off a failure for ever.
    if (decision?.verdict === "failed") await putVerdict(ctx, gate, version, found);
    return "waits";
  }
  const more = alone || silent.length > 0 ? 0 : (decision?.repeats_to_add ?? 0);
  if (more > 0 && runs.every((run, at) => affordable(run, sets[at], more))) {
    for (const [at, run] of runs.entries()) await extendBoth(ctx, { run, other: others[at], set: sets[at] as MeasuredSet }, more);
    return "extended";
  }
  await settle(ctx, gate, version, found);
  return "judged";
}

/** Whether a run over a set besides those is under way that will take the place of the one that there is of it. */
async function awaitsOthers(
  ctx: WriteContext,
  gate: GateDefinition,
  version: Version,
  { runs, ended }: { readonly runs: readonly RunRow[]; readonly ended: readonly string[] },
): Promise<boolean> {
  const newest = new Map(runs.map(({ dataset_id, id }) => [dataset_id, id]));
  const underWay = await listUnderWay(ctx, version.id, gate);
  return underWay.some(({ dataset_id, id }) => !ended.includes(dataset_id) && id > (newest.get(dataset_id) ?? ""));
}

/** Whether a run's own budget has room for more repeats of every item. One that could not go on before does not try again. */
function affordable({ budget_items, failure, stopped_by, total }: RunRow, set: MeasuredSet | undefined, repeats: number): boolean {
  const room = budget_items === null || total + repeats * (set?.items.length ?? 0) <= budget_items;
  return stopped_by === null && failure === null && room;
}

interface Both {
  readonly run: RunRow;
  readonly other: RunRow | undefined;
  readonly set: MeasuredSet;
}

/** Adds repeats to a run, and brings the deployed version's to as many: the noise of either blurs the difference. */
async function extendBoth(ctx: WriteContext, { run, other, set }: Both, repeats: number): Promise<void> {
  await extendRun(ctx, run.id, { repeats, items: set.items.length, quiet: false });
  ctx.enqueue(runJob(ctx.scope, run.id));
  const behind = other ? run.repeats + repeats - other.repeats : 0;
  if (!other || behind <= 0 || !affordable(other, set, behind)) return;
  await extendRun(ctx, other.id, { repeats: behind, items: set.items.length, quiet: true });
  ctx.enqueue(runJob(ctx.scope, other.id));
}

/**
 * Runs of the deployed version over the same versions of the same sets; those that are missing, too old or of too few repeats are started. None where it
 * lacks the skill. `finished`: those only that are there and finished.
 */
async function runsOf(
  ctx: WriteContext,
  live: LiveVersion,
  runs: readonly RunRow[],
  rule: EvidenceRule & { readonly finished: boolean },
): Promise<(RunRow | undefined)[]> {
  const found: (RunRow | undefined)[] = [];
  for (const run of runs) {
    const able = live.skills.includes(run.skill);
    const present = able ? await findRunOf(ctx, live.id, run, rule) : undefined;
    found.push(present ?? (able && !rule.finished ? await startRunOf(ctx, live, run) : undefined));
  }
  return found;
}

async function startRunOf(ctx: WriteContext, live: Version, like: RunRow): Promise<RunRow> {
  const id = ctx.newId("run");
  const note = `Version ${like.version_number} is to be compared with it (${like.id}).`;
  const made = { ...like, id, version_id: live.id, version_number: live.number, note };
  await insertRun(ctx, made);
  ctx.enqueue(runJob(ctx.scope, id));
  return { ...made, state: "queued" };
}

async function measuredSet(ctx: WriteContext, run: RunRow, other: RunRow | undefined, named: boolean): Promise<MeasuredSet> {
  const items = await readItems(ctx.db, ctx.scope.organization, run.dataset_id, run.dataset_version);
  return {
    items,
    candidate: byItem(await readResults(ctx, run.id)),
    deployed: other ? byItem(await readResults(ctx, other.id)) : null,
    prefix: named ? `${run.dataset_name}/` : "",
  };
}

/** The gate's scorers in the versions that it pins, with what they say; `silent` are those that say nothing of any item, or are gone. */
async function scorersOf(ctx: WriteContext, { scorers }: GateDefinition, sets: readonly MeasuredSet[]) {
  const rows = new Map((await findScorerVersions(ctx, scorers)).map((row): [string, ScorerRow] => [row.name, row]));
  const all = scorers.map((rule) => {
    const row = rows.get(rule.scorer);
    return row ? gateScorer({ scorer: row.name, ...row.definition }, sets, rule) : { scorer: rule.scorer, pass_at: 1, items: [] };
  });
  return {
    scorers: all.filter(({ items }) => items.length > 0),
    silent: all.filter(({ items }) => items.length === 0).map(({ scorer }) => scorer),
  };
}

interface Found {
  readonly runs: readonly RunRow[];
  /** Those of the deployed version. */
  readonly others: readonly (RunRow | undefined)[];
  /** Id of the deployed version; null: none. */
  readonly against: string | null;
  readonly decision: GateDecision | null;
  readonly silent: readonly string[];
}

/** Stores the verdict for the stage. A scorer that says nothing keeps the gate from opening. */
async function putVerdict(ctx: WriteContext, gate: GateRow, version: Version, { runs, others, decision, silent, against }: Found) {
  const unsaid = silent.map(
    (scorer) => `${scorer} has nothing to say of any item of the sets: their expectations lack the place that it compares.`,
  );
  const reasons = [...unsaid, ...(decision?.reasons ?? []).map(({ text }) => text)];
  const open = decision?.verdict === "open" && silent.length > 0 ? "inconclusive" : decision?.verdict;
  const verdict = open ?? "inconclusive";
  const text = decision && JSON.stringify({ ...decision, verdict });
  const oldest = Math.min(...[...runs, ...others].map((run) => run?.measured_at?.getTime() ?? ctx.now));
  await storeVerdict(ctx, {
    agent: gate.agent,
    versionId: version.id,
    revision: gate.revision,
    verdict,
    reasons,
    runs: runs.map(({ id }) => id).sort(),
    decision: text,
    expiresAt: new Date(oldest + gate.definition.lifetime_days * dayMs),
    against,
  });
  ctx.touch(gateFacts);
  return { verdict, reasons, text } as const;
}

/** Stores the verdict for the stage, and with the runs that it was drawn from. */
async function settle(ctx: WriteContext, gate: GateRow, version: Version, found: Found): Promise<void> {
  const { verdict, reasons, text } = await putVerdict(ctx, gate, version, found);
  for (const run of found.runs) await setRunVerdict(ctx, run.id, { verdict, decision: text, waitsFor: null });
  const [newest] = [...found.runs].sort((a, b) => (a.id < b.id ? 1 : -1)) as [RunRow];
  if (verdict === "failed") {
    ctx.emit(gateFailedEvent, { run_id: newest.id, agent: gate.agent, version: version.number, dataset: newest.dataset_name, reasons });
  }
}
