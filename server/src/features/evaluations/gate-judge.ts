import type { WriteContext } from "../../kernel/context.ts";
import { decideGate, type GateDecision, looksBy, repeatsAt } from "../../kernel/gate/index.ts";
import { announceRuns } from "./announce.ts";
import { readItems } from "./dataset-store.ts";
import { gateFailedEvent } from "./events.ts";
import { gateFacts } from "./facts.ts";
import type { GateDefinition } from "./gate-rules.ts";
import {
  dropOldVerdicts,
  findLiveVersion,
  type GateRow,
  type LiveVersion,
  listMeasuredVersions,
  storeVerdict,
} from "./gate-store.ts";
import { gateScorer, type MeasuredSet } from "./measures.ts";
import { type Pool, readPool } from "./pool.ts";
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
  const pinned = datasets.some(
    ({ dataset_id, version }) => dataset_id === run.dataset_id && version === run.dataset_version,
  );
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

/**
 * Judges a version over the gate's sets, where a run over each is young enough, by all that its runs over them have put out. The call holds the gate
 * (`lockGate`).
 */
export async function judge(
  ctx: WriteContext,
  gate: GateRow,
  version: Version,
  { ended, alone }: Occasion,
): Promise<Judgement> {
  const { datasets } = gate.definition;
  const runs = await findWholeRuns(ctx, version.id, gate.definition);
  const awaits = ended !== null && (await awaitsOthers(ctx, gate.definition, version, { runs, ended }));
  if (runs.length < datasets.length) return awaits ? "waits" : "incomplete";
  const live = await findLiveVersion(ctx, gate.agent);
  // A skill that the deployed version lacks is new: there is nothing to be worse than.
  const compared =
    live !== undefined && live.id !== version.id && runs.some(({ skill }) => live.skills.includes(skill));
  const pools = await Promise.all(runs.map((run) => readPool(ctx, version.id, run)));
  const repeats = Math.min(...pools.map((pool) => pool.repeats));
  const seen = repeatsAt(looksBy(repeats, gate.definition.repeats), gate.definition.repeats);
  const others = compared ? await runsOf(ctx, live, runs, { ...gate.definition, finished: alone || awaits, seen }) : [];
  const waiting = runs.flatMap((run, at) =>
    others[at] && others[at].run.state !== "completed" ? [[run, others[at].run] as const] : [],
  );
  if (waiting.length > 0) {
    for (const [run, other] of waiting)
      await setRunVerdict(ctx, run.id, { verdict: null, decision: null, waitsFor: other.id });
    return "waits";
  }
  const sets = await Promise.all(
    runs.map((run, at) =>
      measuredSet(ctx, run, { candidate: pools[at] as Pool, deployed: others[at]?.pool, named: datasets.length > 1 }),
    ),
  );
  const { scorers, silent } = await scorersOf(ctx, gate.definition, sets);
  const uncompared = compared
    ? runs.filter(({ skill }, at) => live.skills.includes(skill) && !others[at]).map((run) => run.dataset_name)
    : [];
  const decision =
    scorers.length === 0 ? null : decideGate({ rule: gate.definition, compared, uncompared, repeats, scorers });
  const found = { runs, others: others.map((one) => one?.run), decision, silent, against: live?.id ?? null };
  if (awaits) {
    // Only what would open the gate is worth the wait: whoever keeps starting runs would else put off a failure for ever.
    if (decision?.verdict === "failed") await putVerdict(ctx, gate, version, found);
    return "waits";
  }
  const more = alone || silent.length > 0 ? 0 : (decision?.repeats_to_add ?? 0);
  if (more > 0 && runs.every((run, at) => affordable(run, sets[at], more))) {
    for (const [at, run] of runs.entries())
      await extendBoth(ctx, { run, other: others[at], set: sets[at] as MeasuredSet }, repeats + more);
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
function affordable(
  { budget_items, failure, stopped_by, total }: RunRow,
  set: Pick<MeasuredSet, "items"> | undefined,
  repeats: number,
): boolean {
  const room = budget_items === null || total + repeats * (set?.items.length ?? 0) <= budget_items;
  return stopped_by === null && failure === null && room;
}

/** A run of the deployed version, with all that its runs over the same set have put out. */
interface Other {
  readonly run: RunRow;
  readonly pool: Pool;
}

interface Both {
  readonly run: RunRow;
  readonly other: Other | undefined;
  readonly set: MeasuredSet;
}

/** Adds repeats to a run until all runs of its version have `repeats`, and to the deployed version's as well: the noise of either blurs the difference. */
async function extendBoth(ctx: WriteContext, { run, other, set }: Both, repeats: number): Promise<void> {
  const lacking = repeats - Math.max(0, ...[...set.candidate.values()].map((outcomes) => outcomes.length));
  if (lacking > 0) await extend(ctx, run, { repeats: lacking, items: set.items.length, quiet: false });
  const behind = other ? repeats - other.pool.repeats : 0;
  if (other && behind > 0 && affordable(other.run, set, behind))
    await extend(ctx, other.run, { repeats: behind, items: set.items.length, quiet: true });
}

async function extend(ctx: WriteContext, run: RunRow, more: Parameters<typeof extendRun>[2]): Promise<void> {
  await extendRun(ctx, run.id, more);
  ctx.enqueue(runJob(ctx.scope, run.id));
}

/** What a comparison asks of the deployed version's runs. */
interface Comparison extends EvidenceRule {
  /** Those only that are there and finished. */
  readonly finished: boolean;
  /** Repeats that the newest look sees: the deployed version is to be run as often. */
  readonly seen: number;
}

/**
 * Runs of the deployed version over the same versions of the same sets; those that are missing or too old are started, and one that lacks repeats gets
 * them. None where it lacks the skill.
 */
async function runsOf(
  ctx: WriteContext,
  live: LiveVersion,
  runs: readonly RunRow[],
  rule: Comparison,
): Promise<(Other | undefined)[]> {
  const found: (Other | undefined)[] = [];
  for (const run of runs) found.push(live.skills.includes(run.skill) ? await runOf(ctx, live, run, rule) : undefined);
  return found;
}

async function runOf(ctx: WriteContext, live: LiveVersion, like: RunRow, rule: Comparison): Promise<Other | undefined> {
  const run =
    (await findRunOf(ctx, live.id, like, rule)) ?? (rule.finished ? undefined : await startRunOf(ctx, live, like));
  if (!run) return undefined;
  const pool = await readPool(ctx, live.id, like);
  const behind = rule.seen - pool.repeats;
  if (rule.finished || run.state !== "completed" || behind <= 0) return { run, pool };
  const items = await readItems(ctx.db, ctx.scope.organization, like.dataset_id, like.dataset_version);
  if (!affordable(run, { items }, behind)) return { run, pool };
  await extend(ctx, run, { repeats: behind, items: items.length, quiet: true });
  return { run: { ...run, state: "queued" }, pool };
}

async function startRunOf(ctx: WriteContext, live: Version, like: RunRow): Promise<RunRow> {
  const id = ctx.newId("run");
  const note = `Version ${like.version_number} is to be compared with it (${like.id}).`;
  const made = { ...like, id, version_id: live.id, version_number: live.number, note };
  await insertRun(ctx, made);
  ctx.enqueue(runJob(ctx.scope, id));
  return { ...made, state: "queued" };
}

interface Pools {
  readonly candidate: Pool;
  readonly deployed: Pool | undefined;
  /** Whether items are named after their set. */
  readonly named: boolean;
}

async function measuredSet(
  ctx: WriteContext,
  run: RunRow,
  { candidate, deployed, named }: Pools,
): Promise<MeasuredSet> {
  const items = await readItems(ctx.db, ctx.scope.organization, run.dataset_id, run.dataset_version);
  const prefix = named ? `${run.dataset_name}/` : "";
  return { items, candidate: candidate.outcomes, deployed: deployed?.outcomes ?? null, prefix };
}

/** The gate's scorers in the versions that it pins, with what they say; `silent` are those that say nothing of any item, or are gone. */
async function scorersOf(ctx: WriteContext, { scorers }: GateDefinition, sets: readonly MeasuredSet[]) {
  const rows = new Map((await findScorerVersions(ctx, scorers)).map((row): [string, ScorerRow] => [row.name, row]));
  const all = scorers.map((rule) => {
    const row = rows.get(rule.scorer);
    return row
      ? gateScorer({ scorer: row.name, ...row.definition }, sets, rule)
      : { scorer: rule.scorer, pass_at: 1, items: [] };
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
async function putVerdict(
  ctx: WriteContext,
  gate: GateRow,
  version: Version,
  { runs, others, decision, silent, against }: Found,
) {
  const unsaid = silent.map(
    (scorer) =>
      `${scorer} has nothing to say of any item of the sets: their expectations lack the place that it compares.`,
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
    ctx.emit(gateFailedEvent, {
      run_id: newest.id,
      agent: gate.agent,
      version: version.number,
      dataset: newest.dataset_name,
      reasons,
    });
  }
}
