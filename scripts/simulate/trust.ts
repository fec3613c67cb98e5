import {
  type Borrowed,
  startTrustConfig as config,
  fitTrust,
  type JudgedRecord,
  lend,
  type Origin,
  probabilityOf,
  reliabilityCurve,
  scoreTrust,
  type TrustCase,
  type TrustFit,
} from "../../server/src/kernel/trust/index.ts";
import { areaUnderCurve } from "../journeys/measures.ts";
import { type OldTask, oldScores } from "./old-rule.ts";
import type { Model, Prediction } from "./predictions.ts";
import { createRandom, type Random } from "./random.ts";

/** How well trust scores say what happens, on streams of tasks as they happen. */

export interface TrustQuality {
  readonly model: string;
  readonly stream: string;
  /** Of the rule before `trust-3`; null where it has no such case. */
  readonly ece_before: number | null;
  readonly brier_before: number | null;
  readonly ece: number;
  readonly brier: number;
  /** Of the model's own probability; null where it tells none. */
  readonly own_ece: number | null;
  readonly own_brier: number | null;
  /** Mean score minus mean outcome. */
  readonly off: number;
}

export interface TrustSimulation {
  readonly streams: readonly TrustQuality[];
  /** By model: mean score of the same cases after 3,000 unjudged tasks, minus that before them; of the rule before, and now. */
  readonly unjudged: readonly { readonly model: string; readonly before: number; readonly now: number }[];
  /** By model: how well a low score tells cases of another subject from the model's own. */
  readonly strange: readonly { readonly model: string; readonly probability: number; readonly trust: number }[];
}

const DAY = 86_400_000;
/** Tasks of a day: 3,000 take a month. */
const perDay = 100;

const caseOf = ({ probability, novelty }: Prediction): TrustCase => ({
  probability,
  probability_source: "trained",
  novelty,
});

interface Judging {
  readonly name: string;
  readonly origin: Exclude<Origin, "evaluation">;
  /** Whether the task is judged. */
  judged(task: Prediction, index: number, random: Random): boolean;
  /** The first task whose score is measured; those before are there to be judged. */
  readonly measuredFrom: number;
}

const half = 1_500;
const judgings: readonly Judging[] = [
  { name: "nobody judges", origin: "volunteered", judged: () => false, measuredFrom: 0 },
  { name: "1,500 honest labels", origin: "volunteered", judged: (_, index) => index < half, measuredFrom: half },
  {
    name: "wrong ones reported five times as often",
    origin: "volunteered",
    judged: ({ right }, index, random) => index < half && random.yes(right ? 0.08 : 0.4) === 1,
    measuredFrom: half,
  },
  {
    name: "2 % drawn at random",
    origin: "random",
    judged: (_, __, random) => random.yes(0.02) === 1,
    measuredFrom: half,
  },
  { name: "all judged", origin: "volunteered", judged: () => true, measuredFrom: 0 },
];

const record = (
  id: string,
  { right, ...of }: Prediction,
  origin: Origin,
  at: number,
  known = caseOf({ right, ...of }),
): JudgedRecord => ({
  id,
  case: known,
  outcome: right ? 1 : 0,
  weight: 1,
  origin,
  at,
});
const evaluated = (model: Model): JudgedRecord[] =>
  model.evaluation.map((one, i) => record(`e${i}`, one, "evaluation", 0));
const timeOf = (index: number): number => DAY + (index / perDay) * DAY;

/** All streams of all models; figures of streams are means over `orders` orders of the cases. */
export function simulateTrust(models: readonly Model[], orders: number, seed: number): TrustSimulation {
  return {
    streams: models.flatMap((model) => {
      const runs = Array.from({ length: orders }, (_, order) => {
        const random = createRandom(seed, `${model.name} ${order}`);
        const places = mixed(model.evaluation.length + model.tasks.length, random);
        return streamsOf(reordered(model, places), random);
      });
      return runs[0]!.map((_, row) => meanOf(runs.map((run) => run[row]!)));
    }),
    unjudged: models.map(unjudgedDrift),
    strange: models.map(strangeCases),
  };
}

function streamsOf(model: Model, random: Random): TrustQuality[] {
  return [
    ...judgings.map((judging) => judgedStream(model, judging, random)),
    ...[0.02, 0.1].map((share) => drifted(model, share, random)),
    ...(model.retrained ? [retrained(model, model.retrained, random)] : []),
    ...withoutProbability(model, random),
  ];
}

/** The numbers below `n` in an order of chance. */
function mixed(n: number, random: Random): number[] {
  const keys = Array.from({ length: n }, () => random.uniform());
  return keys.map((_, at) => at).sort((p, q) => keys[p]! - keys[q]!);
}

/** The same cases in another order; a model trained again meets them in the same. */
function reordered(model: Model, places: readonly number[]): Model {
  const all = [...model.evaluation, ...model.tasks];
  const cases = places.map((place) => all[place]!);
  const n = model.evaluation.length;
  const retrained = model.retrained && reordered(model.retrained, places);
  return { ...model, evaluation: cases.slice(0, n), tasks: cases.slice(n), retrained };
}

function meanOf(rows: readonly TrustQuality[]): TrustQuality {
  const mean = (name: "ece" | "brier" | "off"): number => rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  const told = (name: "ece_before" | "brier_before" | "own_ece" | "own_brier"): number | null =>
    rows[0]![name] === null ? null : rows.reduce((sum, row) => sum + row[name]!, 0) / rows.length;
  return {
    ...rows[0]!,
    ece: mean("ece"),
    brier: mean("brier"),
    off: mean("off"),
    ...{
      ece_before: told("ece_before"),
      brier_before: told("brier_before"),
      own_ece: told("own_ece"),
      own_brier: told("own_brier"),
    },
  };
}

function quality(
  model: string,
  stream: string,
  scored: readonly { readonly score: number; readonly task: Prediction }[],
  before: readonly number[] | null,
  tells = true,
): TrustQuality {
  const curve = (scores: readonly number[]) =>
    reliabilityCurve(scored.map(({ task }, i) => ({ score: scores[i]!, outcome: task.right ? 1 : 0 })));
  const now = curve(scored.map(({ score }) => score));
  const own = tells ? curve(scored.map(({ task }) => task.probability)) : null;
  const old = before && curve(before);
  const off = scored.reduce((sum, { score, task }) => sum + score - (task.right ? 1 : 0), 0) / scored.length;
  return {
    ...{
      model,
      stream,
      ece_before: old?.ece ?? null,
      brier_before: old?.brier ?? null,
      ece: now.ece!,
      brier: now.brier!,
      off,
    },
    own_ece: own?.ece ?? null,
    own_brier: own?.brier ?? null,
  };
}

/** Tasks of a month, judged as people do; scores of the last fit, or of fits without the day's own labels where all are judged. */
function judgedStream(model: Model, judging: Judging, random: Random): TrustQuality {
  const judged = model.tasks.map((task, index) => judging.judged(task, index, random));
  const labels = model.tasks.map(
    (task, i): OldTask => ({ prediction: task, label: judged[i] ? (task.right ? 1 : 0) : null }),
  );
  const old = oldScores(model.evaluation, labels).slice(judging.measuredFrom);
  const records = model.tasks.flatMap((task, i) =>
    judged[i] ? [record(`t${i}`, task, judging.origin, timeOf(i))] : [],
  );
  const fitBefore = (index: number): TrustFit => {
    const known = records.filter(({ at }) => at < timeOf(index));
    const last = Math.max(-1, ...known.map(({ id }) => Number(id.slice(1))));
    const terms = { basis: "trained", judged_share: known.length / Math.max(1, last + 1) } as const;
    return fitTrust([...evaluated(model), ...known], terms, config);
  };
  const everyDay = Map.groupBy(
    model.tasks.map((task, index) => ({ task, index })).slice(judging.measuredFrom),
    ({ index }) => (judged.some((one, at) => one && at >= judging.measuredFrom) ? Math.floor(index / perDay) : 0),
  );
  const scored = [...everyDay.values()].flatMap((day) => {
    const fit = fitBefore(day[0]!.index);
    return day.map(({ task }) => ({ task, score: probabilityOf(fit, caseOf(task), config) }));
  });
  return quality(model.name, judging.name, scored, old);
}

/** So many of all answers become wrong that were right. */
function droppedBy(drop: number, tasks: readonly Prediction[], random: Random): Prediction[] {
  const accuracy = tasks.filter(({ right }) => right).length / tasks.length;
  return tasks.map((task) => (task.right && random.yes(drop / accuracy) ? { ...task, right: false } : task));
}

/** In the middle of the month 15 of 100 answers become wrong that were right; the last three days are measured. */
function drifted(model: Model, share: number, random: Random): TrustQuality {
  const tasks = [...model.tasks.slice(0, half), ...droppedBy(0.15, model.tasks.slice(half), random)];
  const judged = tasks.map(() => random.yes(share) === 1);
  const records = tasks.flatMap((task, i) => (judged[i] ? [record(`t${i}`, task, "random", timeOf(i))] : []));
  const fit = fitTrust([...evaluated(model), ...records], { basis: "trained", judged_share: share }, config);
  const from = tasks.length - 3 * perDay;
  const old = oldScores(
    model.evaluation,
    tasks.map((task, i): OldTask => ({ prediction: task, label: judged[i] ? (task.right ? 1 : 0) : null })),
  ).slice(from);
  const scored = tasks.slice(from).map((task) => ({ task, score: probabilityOf(fit, caseOf(task), config) }));
  return quality(model.name, `15 days after a drop of 15 points, ${100 * share} % drawn`, scored, old);
}

/** A model is trained again while volunteers have judged the one before: what they are like is known, how good the new one is only from its evaluation. */
function retrained(model: Model, next: Model, random: Random): TrustQuality {
  const chosen = (tasks: readonly Prediction[], from: number, to: number) =>
    tasks
      .slice(from, to)
      .flatMap((task, i) =>
        random.yes(task.right ? 0.08 : 0.4) ? [record(`t${from + i}`, task, "volunteered", timeOf(from + i))] : [],
      );
  const first = chosen(model.tasks, 0, half);
  const before = fitTrust(
    [...evaluated(model), ...first],
    { basis: "trained", judged_share: first.length / half },
    config,
  );
  const borrowed: Borrowed = lend(before, timeOf(half), config);
  const second = chosen(next.tasks, half, half + 500);
  const fit = fitTrust(
    [...evaluated(next), ...second],
    { basis: "trained", judged_share: second.length / 500, borrowed },
    config,
  );
  const measured = next.tasks.slice(half + 500);
  const scored = measured.map((task) => ({ task, score: probabilityOf(fit, caseOf(task), config) }));
  return quality(
    `${model.name}, then ${next.name}`,
    "retrained, wrong ones reported five times as often",
    scored,
    null,
  );
}

/** A model that tells no probability: 25 evaluated items, and a new version of it that is 5 points worse and that nobody has evaluated. */
function withoutProbability(model: Model, random: Random): TrustQuality[] {
  const items = model.evaluation.slice(0, 25).map((one, i) => record(`e${i}`, one, "evaluation", 0, {}));
  const first = fitTrust(items, { basis: "none", judged_share: 0 }, config);
  const second = fitTrust([], { basis: "none", judged_share: 0, borrowed: lend(first, 0, config) }, config);
  const worse = droppedBy(0.05, model.tasks, random);
  const of = (fit: TrustFit, tasks: readonly Prediction[]) =>
    tasks.map((task) => ({ task, score: scoreTrust(fit, {}, 0, config).score }));
  return [
    quality(model.name, "no probability, 25 evaluated items", of(first, model.tasks), null, false),
    quality(model.name, "a new version of that, 5 points worse, nothing judged", of(second, worse), null, false),
  ];
}

function unjudgedDrift(model: Model): TrustSimulation["unjudged"][number] {
  const old = oldScores(
    model.evaluation,
    [...model.tasks, ...model.tasks].map((prediction): OldTask => ({ prediction, label: null })),
  );
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const n = model.tasks.length;
  const fit = fitTrust(evaluated(model), { basis: "trained", judged_share: 0 }, config);
  const at = (now: number): number => mean(model.tasks.map((task) => scoreTrust(fit, caseOf(task), now, config).score));
  const oldStart = mean(
    model.tasks.map((prediction) => oldScores(model.evaluation, [{ prediction, label: null }])[0]!),
  );
  return { model: model.name, before: mean(old.slice(n)) - oldStart, now: at(timeOf(n)) - at(0) };
}

function strangeCases(model: Model): TrustSimulation["strange"][number] {
  const fit = fitTrust(evaluated(model), { basis: "trained", judged_share: 0 }, config);
  const auroc = (scoreOf: (one: Prediction) => number): number =>
    areaUnderCurve([
      ...model.tasks.map((one) => ({ likelihood: scoreOf(one), came: true })),
      ...model.outOfDomain.map((one) => ({ likelihood: scoreOf(one), came: false })),
    ])!;
  return {
    model: model.name,
    probability: auroc(({ probability }) => probability),
    trust: auroc((one) => probabilityOf(fit, caseOf(one), config)),
  };
}
