import { actorOfCall, storedActor } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { decideGate, type GateDecision, looksBy, repeatsAt } from "../../../kernel/gate/index.ts";
import { readItems } from "../datasets/store.ts";
import { announceRuns, gateFailedEvent } from "../events.ts";
import { gateScorer, type MeasuredSet } from "../runs/measures.ts";
import { runJob } from "../runs/rules.ts";
import * as store from "../runs/store.ts";
import { type Pool, type RunRow, readPool } from "../runs/store.ts";
import { findScorerVersions } from "../scorers/store.ts";
import { gateFacts } from "./facts.ts";
import type { GateDefinition } from "./rules.ts";
import { dropOldVerdicts, findLiveVersion, type GateRow, storeVerdict, type VersionSkills } from "./store.ts";

const dayMs = 86_400_000;
/** Setting a gate judges so many versions again. */
const mostJudgedAgain = 10;

interface Version {
  readonly id: string;
  readonly number: number;
}

/** `incomplete`: a dataset of the gate has no run. */
export type Judgement = "judged" | "extended" | "waits" | "incomplete";

interface Occasion {
  /** Datasets whose runs have just ended; the verdict waits for runs over the others. Null: none ended. */
  readonly ended: readonly string[] | null;
  /** The deployed version's run failed: judge without it. */
  readonly alone: boolean;
}

/** A gate judges by a run over its pinned dataset version with at least as many repeats as it asks for. */
export function judgesBy({ definition: { datasets, repeats } }: GateRow, run: RunRow): boolean {
  const pinned = datasets.some((pin) => pin.dataset_id === run.dataset_id && pin.version === run.dataset_version);
  return pinned && run.repeats >= repeats;
}

/** Judges versions by a gate that was just set, from existing runs, and announces runs that waited. */
export async function judgeAgain(ctx: WriteContext, gate: GateRow): Promise<void> {
  await dropOldVerdicts(ctx, gate.agent, gate.revision);
  for (const version of await store.listMeasuredVersions(ctx, gate.agent, gate.definition, mostJudgedAgain)) {
    const judgement = await judge(ctx, gate, version, { ended: null, alone: false });
    if (judgement === "judged") await announceRuns(ctx, version.id);
  }
}

/** By all runs over the gate's datasets, if each has a recent one. The call holds the gate (`lockGate`). */
export async function judge(
  ctx: WriteContext,
  gate: GateRow,
  version: Version,
  { ended, alone }: Occasion,
): Promise<Judgement> {
  const { definition } = gate;
  const runs = await store.findWholeRuns(ctx, version.id, definition);
  const awaits = ended !== null && (await awaitsOthers(ctx, definition, version, { runs, ended }));
  if (runs.length < definition.datasets.length) return awaits ? "waits" : "incomplete";
  const live = await findLiveVersion(ctx, gate.agent);
  // A skill that the deployed version lacks is new: there is nothing to be worse than.
  const comparable = live && live.id !== version.id ? live.skills : [];
  const { pairs, repeats } = await pairRuns(ctx, version, { live, comparable, runs }, alone || awaits, definition);
  const waiting = pairs.filter(({ deployed }) => deployed && deployed.run.state !== "completed");
  for (const { run, deployed } of waiting)
    await store.noteOnRun(ctx, run.id, { verdict: null, decision: null, waits_for: deployed?.run.id ?? null });
  if (waiting.length > 0) return "waits";
  const measured = await Promise.all(pairs.map((pair) => measure(ctx, pair, runs.length > 1)));
  const { scorers, silent } = await scorersOf(ctx, definition, measured);
  const compared = runs.some(({ skill }) => comparable.includes(skill));
  const uncompared = pairs.flatMap(({ run, deployed }) =>
    comparable.includes(run.skill) && !deployed ? [run.dataset_name] : [],
  );
  const decision =
    scorers.length === 0 ? null : decideGate({ rule: definition, compared, uncompared, repeats, scorers });
  const found = { measured, decision, silent, against: live?.id ?? null };
  if (awaits) {
    // Only an opening waits: whoever keeps starting runs could otherwise put off a failure for ever.
    if (decision?.verdict === "failed") await putVerdict(ctx, gate, version, found);
    return "waits";
  }
  const more = alone || silent.length > 0 ? 0 : (decision?.repeats_to_add ?? 0);
  if (more > 0 && measured.every(({ run, set }) => affordable(run, set.items.length, more))) {
    for (const one of measured) await extendBoth(ctx, one, repeats + more);
    return "extended";
  }
  await settle(ctx, gate, version, found);
  return "judged";
}

/** Whether a run over another dataset is in progress that will replace the present one. */
async function awaitsOthers(
  ctx: WriteContext,
  gate: GateDefinition,
  version: Version,
  { runs, ended }: { readonly runs: readonly RunRow[]; readonly ended: readonly string[] },
): Promise<boolean> {
  const newest = new Map(runs.map(({ dataset_id, id }) => [dataset_id, id]));
  const underWay = await store.listUnderWay(ctx, version.id, gate);
  return underWay.some(({ dataset_id, id }) => !ended.includes(dataset_id) && id > (newest.get(dataset_id) ?? ""));
}

interface Pooled {
  readonly run: RunRow;
  readonly pool: Pool;
}

/** A run, and the deployed version's over the same dataset version if there is one. */
interface Pair extends Pooled {
  readonly deployed: Pooled | undefined;
}
type Measured = Pair & { readonly set: MeasuredSet };

/** Starts missing runs of the deployed version and adds missing repeats, unless only `finished` ones are wanted. */
async function pairRuns(
  ctx: WriteContext,
  version: Version,
  of: { live: VersionSkills | undefined; comparable: readonly string[]; runs: readonly RunRow[] },
  finished: boolean,
  gate: GateDefinition,
): Promise<{ pairs: Pair[]; repeats: number }> {
  const pools = await Promise.all(of.runs.map(async (run) => ({ run, pool: await readPool(ctx, version.id, run) })));
  const repeats = Math.min(...pools.map(({ pool }) => pool.repeats));
  const seen = repeatsAt(looksBy(repeats, gate.repeats), gate.repeats);
  const pairs: Pair[] = [];
  for (const { run, pool } of pools) {
    const live = of.comparable.includes(run.skill) ? of.live : undefined;
    const deployed = live && (await deployedRun(ctx, live, run, { ...gate, finished, seen }));
    pairs.push({ run, pool, deployed });
  }
  return { pairs, repeats };
}

/** `seen`: repeats at the newest look; the deployed version runs as often. */
interface Comparison extends store.EvidenceRule {
  readonly finished: boolean;
  readonly seen: number;
}

async function deployedRun(
  ctx: WriteContext,
  live: Version,
  like: RunRow,
  { seen, ...rule }: Comparison,
): Promise<Pooled | undefined> {
  const found = await store.findRunOf(ctx, live.id, like, rule);
  const run = found ?? (rule.finished ? undefined : await startRunOf(ctx, live, like));
  if (!run) return undefined;
  const pool = await readPool(ctx, live.id, like);
  const behind = seen - pool.repeats;
  if (rule.finished || run.state !== "completed" || behind <= 0) return { run, pool };
  const { length } = await readItems(ctx, like.dataset_id, like.dataset_version);
  if (!affordable(run, length, behind)) return { run, pool };
  await extend(ctx, run, { repeats: behind, items: length, quiet: true, actor: like.actor });
  return { run: { ...run, state: "queued" }, pool };
}

async function startRunOf(ctx: WriteContext, live: Version, like: RunRow): Promise<RunRow> {
  const id = ctx.newId("run");
  const note = `To compare version ${like.version_number} with it (${like.id}).`;
  const made = { ...like, id, version_id: live.id, version_number: live.number, note };
  const actor = like.actor === null ? actorOfCall(ctx) : storedActor(like.actor);
  await store.insertRun(ctx, actor, made);
  ctx.enqueue(runJob(ctx.scope, id));
  return { ...made, state: "queued" };
}

/** `named`: whether to prefix items with their dataset. */
async function measure(ctx: WriteContext, pair: Pair, named: boolean): Promise<Measured> {
  const { run, pool, deployed } = pair;
  const items = await readItems(ctx, run.dataset_id, run.dataset_version);
  const outcomes = { candidate: pool.outcomes, deployed: deployed?.pool.outcomes ?? null };
  return { ...pair, set: { items, ...outcomes, prefix: named ? `${run.dataset_name}/` : "" } };
}

/** The scorers in their pinned versions with their scores; `silent` ones score no item, or no longer exist. */
async function scorersOf(ctx: WriteContext, { scorers }: GateDefinition, measured: readonly Measured[]) {
  const rows = new Map((await findScorerVersions(ctx, scorers)).map((row) => [row.name, row]));
  const sets = measured.map(({ set }) => set);
  const scored = scorers.map((rule) => {
    const row = rows.get(rule.scorer);
    return row
      ? gateScorer({ scorer: row.name, ...row.definition }, sets, rule)
      : { scorer: rule.scorer, pass_at: 1, items: [] };
  });
  return {
    scorers: scored.filter(({ items }) => items.length > 0),
    silent: scored.filter(({ items }) => items.length === 0).map(({ scorer }) => scorer),
  };
}

/** Whether the run's own budget allows more repeats. One that stopped at its budget does not try again. */
function affordable(run: RunRow, items: number, repeats: number): boolean {
  const itemsLeft = run.budget_items === null || run.total + repeats * items <= run.budget_items;
  return run.stopped_by === null && run.failure === null && itemsLeft;
}

/** Brings both versions to `repeats`: the noise of either blurs the difference. */
async function extendBoth(ctx: WriteContext, { run, deployed, set }: Measured, repeats: number): Promise<void> {
  const items = set.items.length;
  const lacking = repeats - Math.max(0, ...[...set.candidate.values()].map((outcomes) => outcomes.length));
  if (lacking > 0) await extend(ctx, run, { repeats: lacking, items, quiet: false, actor: run.actor });
  const behind = deployed ? repeats - deployed.pool.repeats : 0;
  if (deployed && behind > 0 && affordable(deployed.run, items, behind))
    await extend(ctx, deployed.run, { repeats: behind, items, quiet: true, actor: run.actor });
}

async function extend(ctx: WriteContext, run: RunRow, more: Parameters<typeof store.extendRun>[2]): Promise<void> {
  await store.extendRun(ctx, run.id, more);
  ctx.enqueue(runJob(ctx.scope, run.id));
}

interface Found {
  readonly measured: readonly Measured[];
  readonly decision: GateDecision | null;
  readonly silent: readonly string[];
  /** Id of the deployed version. */
  readonly against: string | null;
}

/** A silent scorer keeps the gate from opening. */
async function putVerdict(
  ctx: WriteContext,
  gate: GateRow,
  version: Version,
  { measured, decision, silent, against }: Found,
) {
  const unsaid = silent.map(
    (scorer) => `${scorer} scores no item of the datasets: their expectations lack the place that it compares.`,
  );
  const reasons = [...unsaid, ...(decision?.reasons ?? []).map(({ text }) => text)];
  const open = decision?.verdict === "open" && silent.length > 0 ? "inconclusive" : decision?.verdict;
  const verdict = open ?? "inconclusive";
  const text = decision && JSON.stringify({ ...decision, verdict });
  const behind = measured.flatMap(({ run, deployed }) => [run, deployed?.run ?? run]);
  const oldest = Math.min(...behind.map((run) => run.measured_at?.getTime() ?? ctx.now));
  await storeVerdict(ctx, {
    agent: gate.agent,
    version_id: version.id,
    gate_revision: gate.revision,
    verdict,
    reasons,
    against,
    run_ids: measured.map(({ run }) => run.id).sort(),
    decision: text,
    expires_at: new Date(oldest + gate.definition.lifetime_days * dayMs),
  });
  ctx.touch(gateFacts);
  return { verdict, reasons, text } as const;
}

/** Stores the verdict on the version and its runs, and announces a failed gate. */
async function settle(ctx: WriteContext, gate: GateRow, version: Version, found: Found): Promise<void> {
  const { verdict, reasons, text } = await putVerdict(ctx, gate, version, found);
  const runs = found.measured.map(({ run }) => run).sort((a, b) => (a.id < b.id ? 1 : -1));
  for (const run of runs) await store.noteOnRun(ctx, run.id, { verdict, decision: text, waits_for: null });
  const [newest] = runs as [RunRow];
  if (verdict === "failed")
    ctx.emit(gateFailedEvent, {
      run_id: newest.id,
      agent: gate.agent,
      version: version.number,
      dataset: newest.dataset_name,
      reasons,
    });
}
