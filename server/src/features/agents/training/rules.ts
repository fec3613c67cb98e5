import { createHash } from "node:crypto";
import { comparePairs, type Pair } from "@aos/statistics";
import { canonicalJson } from "@aos/strict-json";
import type { JobSpec } from "../../../kernel/append.ts";
import { isoTime } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { type ReliabilityCurve, reliabilityCurve } from "../../../kernel/trust/reliability.ts";
import type { TrainingJob, TrainingMetrics, TrainingPair } from "./schemas.ts";
import { type TrainingRow, trainingJson } from "./store.ts";

/** The job that trains. What is to be done stands in the training job's row. */
export const trainingJobName = "agent_training";

/** Wakes a worker for a training job. */
export function trainingJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: trainingJobName, payload: { organization, environment, training: id }, key: id };
}

/** An example with when its label was given, in milliseconds since the epoch. */
export interface DatedPair extends TrainingPair {
  readonly at: number;
}

/** Examples by where they come from; where two have the same input, the newest label counts, and of labels of one time that of the source further up. */
export interface ExampleSources {
  readonly given: readonly DatedPair[];
  readonly feedback: readonly DatedPair[];
  readonly dataset: readonly DatedPair[];
  /** Of earlier trainings of the version that it goes out from. */
  readonly earlier: readonly DatedPair[];
  /** Of the skill's own definition: models are shown them, so that none is held out. */
  readonly definition: readonly DatedPair[];
}

const order: readonly (keyof ExampleSources)[] = ["given", "feedback", "dataset", "earlier", "definition"];

export interface Split {
  readonly train: readonly TrainingPair[];
  readonly heldOut: readonly TrainingPair[];
  readonly counts: NonNullable<TrainingJob["examples"]>;
}

/**
 * Each input once, and a share of them held out: those that come first by a hash of input and seed. So the same example is held out again by a later job of the
 * same seed, whatever else is there, but for a few at the border. At least one is held out and one learnt from, where there are two.
 */
export function splitExamples(sources: ExampleSources, share: number, seed: number): Split {
  const found = new Map<string, TrainingPair>();
  const fixed = new Set<string>();
  const newestFirst = order
    .flatMap((name) => sources[name].map((pair) => ({ pair, name })))
    .sort((a, b) => b.pair.at - a.pair.at);
  for (const { pair, name } of newestFirst) {
    const key = canonicalJson(pair.input);
    if (!found.has(key)) found.set(key, { input: pair.input, output: pair.output });
    if (name === "definition") fixed.add(key);
  }
  const free = [...found.keys()].filter((key) => !fixed.has(key)).map((key) => ({ key, place: placeOf(key, seed) }));
  free.sort((a, b) => (a.place < b.place ? -1 : 1));
  const most = found.size - 1;
  const n = Math.min(Math.max(1, Math.round(share * free.length)), free.length, most);
  const held = new Set(free.slice(0, n).map(({ key }) => key));
  const pick = (of: boolean): TrainingPair[] =>
    [...found].filter(([key]) => held.has(key) === of).map(([, pair]) => pair);
  const { feedback, given, dataset, earlier, definition } = sources;
  const counts = {
    given: given.length,
    dataset: dataset.length,
    feedback: feedback.length,
    earlier: earlier.length,
    definition: definition.length,
    duplicates: newestFirst.length - found.size,
    used: found.size,
    train: found.size - held.size,
    held_out: held.size,
  };
  return { train: pick(false), heldOut: pick(true), counts };
}

/** Appended to the number of examples: how many do not count because their tasks were changed in the database. */
export const leftOut = (notIntact: number): string =>
  notIntact === 0
    ? ""
    : ` Feedback on ${notIntact} more is left out, because what their tasks ended with was changed in the database (result_not_intact).`;

const placeOf = (key: string, seed: number): string => createHash("sha256").update(`${seed}\n${key}`).digest("hex");

/**
 * The share of what was expected that an output says: its leaves, texts compared without case and outer space, numbers to a billionth of their size. An output
 * may say more than was expected.
 */
export function outputScore(expected: unknown, output: unknown): number {
  const leaves = [...leavesOf(expected, [])];
  if (leaves.length === 0) return 1;
  const right = leaves.filter(({ path, value }) => same(value, at(output, path))).length;
  return right / leaves.length;
}

/** Whether an output has any leaf that another one could say too. By one without, nobody can be measured. */
export function expectsAnything(expected: unknown): boolean {
  return leavesOf(expected, []).next().done !== true;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function* leavesOf(value: unknown, path: readonly string[]): Generator<Leaf> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    if (path.length > 0) yield { path, value };
    return;
  }
  for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name]);
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function same(expected: unknown, given: unknown): boolean {
  if (typeof expected === "string")
    return typeof given === "string" && expected.trim().toLowerCase() === given.trim().toLowerCase();
  if (typeof expected === "number")
    return typeof given === "number" && Math.abs(expected - given) <= 1e-9 * Math.max(1, Math.abs(expected));
  return given !== undefined && canonicalJson(expected) === canonicalJson(given);
}

/** What is measured of one example on both sides, and how sure the candidate was, where it says so. */
export interface Measured {
  readonly before: number;
  readonly after: number;
  readonly probability?: number;
}

/** Before and after, paired by example. */
export function metricsOf(
  measured: readonly Measured[],
  score: string,
  fields: TrainingMetrics["fields"],
): TrainingMetrics {
  const found = comparePairs(
    measured.map(({ before, after }, item): Pair => ({ cluster: String(item), before, after })),
  );
  const { before = null, after = null, difference = null, low = null, high = null } = found ?? {};
  const verdict = low !== null && low > 0 ? "better" : high !== null && high < 0 ? "worse" : "unclear";
  const sure = measured.flatMap(({ probability, after: outcome }) =>
    probability === undefined ? [] : [{ score: probability, outcome }],
  );
  const { ece, brier }: Pick<ReliabilityCurve, "ece" | "brier"> = reliabilityCurve(sure);
  return { n: measured.length, before, after, difference, low, high, verdict, score, ece, brier, fields };
}

/** What policies see of a call on a training job. */
export const seenTraining = (_ctx: CallContext, { loaded: { agent, skill } }: { loaded: TrainingRow }) => ({
  agent: { name: agent, labels: [] },
  skill: { name: skill },
});

/** A job on the wire. */
export function trainingView(row: TrainingRow): TrainingJob {
  const request = trainingJson(row, "request");
  const report = trainingJson(row, "report") ?? {};
  return {
    job_id: row.id,
    agent: row.agent,
    skill: row.skill,
    state: row.state,
    phase: row.phase,
    progress: Math.round(row.progress * 1000) / 1000,
    method: row.method,
    base_version: row.base_number,
    base_version_id: row.base_version_id,
    version: row.version_number,
    version_id: row.version_id,
    seed: request.seed,
    held_out: request.held_out,
    examples: report.examples ?? null,
    demonstrations: report.demonstrations ?? null,
    metrics: report.metrics ?? null,
    seconds: report.seconds ?? null,
    cost_usd: row.cost_usd,
    failure: trainingJson(row, "failure"),
    note: row.note,
    requested_by: row.principal,
    created_at: isoTime(row.created_at),
    finished_at: isoTime(row.finished_at),
  };
}
