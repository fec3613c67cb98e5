import { spread } from "./fields.ts";

/** A statement with its probability, and whether it was right. */
export interface Judged {
  readonly probability: number;
  readonly right: boolean;
}

/** Mean squared difference between the probabilities and what came of them. */
export function brierScore(judged: readonly Judged[]): number {
  return spread(judged.map(({ probability, right }) => (probability - (right ? 1 : 0)) ** 2)).mean;
}

/** Expected calibration error: over ten bins of equal width, the difference between the mean probability and the share that was right, weighted by size. */
export function calibrationError(judged: readonly Judged[], bins = 10): number {
  const sums = Array.from({ length: bins }, () => ({ stated: 0, right: 0 }));
  for (const { probability, right } of judged) {
    const bin = sums[Math.min(bins - 1, Math.floor(probability * bins))] as { stated: number; right: number };
    bin.stated += probability;
    bin.right += right ? 1 : 0;
  }
  return judged.length === 0
    ? 0
    : sums.reduce((sum, { stated, right }) => sum + Math.abs(stated - right), 0) / judged.length;
}

/** Area under the ROC curve: how often a yes is scored above a no, ties counting half. Null where there is only one kind. */
export function areaUnderCurve(scored: readonly { readonly score: number; readonly yes: boolean }[]): number | null {
  const sorted = [...scored].sort((a, b) => a.score - b.score);
  let [ranks, yes] = [0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++;
    for (let at = from; at < to; at++) {
      if (!sorted[at]?.yes) continue;
      ranks += (from + to + 1) / 2;
      yes++;
    }
    from = to;
  }
  const no = sorted.length - yes;
  return yes === 0 || no === 0 ? null : (ranks - (yes * (yes + 1)) / 2) / (yes * no);
}
