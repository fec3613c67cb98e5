import { betaQuantile } from "@aos/statistics";

/** A published score and what became of the task: 1 accepted, 0 not; in between where a label says so. */
export interface ScoredOutcome {
  /** In [0, 1]. */
  readonly score: number;
  /** In [0, 1]. */
  readonly outcome: number;
}

/** All that a bin needs to know of its members; sums of parts add up, so a database can make them. */
export interface BinSums {
  /** From 0; see `binOf`. */
  readonly bin: number;
  readonly n: number;
  readonly scores: number;
  readonly outcomes: number;
  /** Σ (score − outcome)². */
  readonly squares: number;
}

export interface ReliabilityBin {
  /** Scores from here (included) … */
  readonly from: number;
  /** … to here, included only in the last bin. */
  readonly to: number;
  readonly n: number;
  /** Null in an empty bin, and so what follows. */
  readonly mean_score: number | null;
  readonly mean_outcome: number | null;
  /** 10 % and 90 % quantiles of the accepted share under a uniform prior. */
  readonly low: number | null;
  readonly high: number | null;
}

/** How far scores say what happens: in a bin where they say .8, 80 of 100 should be accepted. */
export interface ReliabilityCurve {
  readonly n: number;
  /** Expected calibration error: Σ n_b/n · |mean score − mean outcome|. Null without a label. */
  readonly ece: number | null;
  /** Mean of (score − outcome)². Null without a label. */
  readonly brier: number | null;
  readonly bins: readonly ReliabilityBin[];
}

/** Bins of a curve where nothing else is said. */
export const RELIABILITY_BINS = 10;

/** The bin of a score among `bins` of equal width. */
export function binOf(score: number, bins: number = RELIABILITY_BINS): number {
  return Math.min(bins - 1, Math.floor(score * bins));
}

/** The curve of scored outcomes. Throws a RangeError for a score or an outcome outside [0, 1]. */
export function reliabilityCurve(
  observations: Iterable<ScoredOutcome>,
  bins: number = RELIABILITY_BINS,
): ReliabilityCurve {
  const sums = Array.from({ length: bins }, (_, bin) => ({ bin, n: 0, scores: 0, outcomes: 0, squares: 0 }));
  for (const { score, outcome } of observations) {
    if (!(score >= 0 && score <= 1 && outcome >= 0 && outcome <= 1))
      throw new RangeError("scores and outcomes lie in [0, 1]");
    const sum = sums[binOf(score, bins)]!;
    sum.n++;
    sum.scores += score;
    sum.outcomes += outcome;
    sum.squares += (score - outcome) ** 2;
  }
  return reliabilityFromSums(sums, bins);
}

/** The same from sums per bin; several of one bin add up, bins without any are empty. Throws a RangeError for a bin that does not exist. */
export function reliabilityFromSums(parts: Iterable<BinSums>, bins: number = RELIABILITY_BINS): ReliabilityCurve {
  const total = Array.from({ length: bins }, () => ({ n: 0, scores: 0, outcomes: 0, squares: 0 }));
  for (const part of parts) {
    const into = total[part.bin];
    if (into === undefined) throw new RangeError(`bin ${part.bin} is not among 0 to ${bins - 1}`);
    into.n += part.n;
    into.scores += part.scores;
    into.outcomes += part.outcomes;
    into.squares += part.squares;
  }
  const n = total.reduce((sum, bin) => sum + bin.n, 0);
  const gap = total.reduce((sum, bin) => sum + Math.abs(bin.scores - bin.outcomes), 0);
  const squares = total.reduce((sum, bin) => sum + bin.squares, 0);
  return {
    n,
    ece: n === 0 ? null : gap / n,
    brier: n === 0 ? null : squares / n,
    bins: total.map((bin, index) => ({ from: index / bins, to: (index + 1) / bins, ...seen(bin) })),
  };
}

function seen({
  n,
  scores,
  outcomes,
}: {
  n: number;
  scores: number;
  outcomes: number;
}): Omit<ReliabilityBin, "from" | "to"> {
  if (n === 0) return { n, mean_score: null, mean_outcome: null, low: null, high: null };
  // Sums that came through a database may miss their bounds by a last digit.
  const good = Math.min(n, Math.max(0, outcomes));
  return {
    n,
    mean_score: scores / n,
    mean_outcome: good / n,
    low: betaQuantile(0.1, good + 1, n - good + 1),
    high: betaQuantile(0.9, good + 1, n - good + 1),
  };
}
