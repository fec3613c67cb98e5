import type { TrustConfig } from "./config.ts";
import { type FitTerms, fitTrust } from "./fit.ts";
import { isVolunteered, type JudgedRecord } from "./record.ts";
import { type BinSums, binOf, RELIABILITY_BINS } from "./reliability.ts";
import { probabilityOf } from "./score.ts";

/** How far scores held, as sums that add up over fits. */
export interface CrossFitted {
  /** Labels that nobody chose to give: of evaluations and random reviews. */
  readonly unchosen: readonly BinSums[];
  /** All labels; people choose to judge what looks wrong, so that scores look too high against these. */
  readonly all: readonly BinSums[];
}

const FOLDS = 5;

/** The fold of a case: a hash of its id (FNV-1a), so that it stays where it is as labels come. */
function foldOf({ id }: JudgedRecord): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % FOLDS;
}

/** Scores each record by a fit to the other folds: no label judges a score that it helped to make. */
export function crossFit(records: readonly JudgedRecord[], terms: FitTerms, config: TrustConfig): CrossFitted {
  const sums = { unchosen: emptyBins(), all: emptyBins() };
  for (let fold = 0; fold < FOLDS; fold++) {
    const judged = records.filter((one) => foldOf(one) === fold);
    if (judged.length === 0) continue;
    const fit = fitTrust(
      records.filter((one) => foldOf(one) !== fold),
      terms,
      config,
    );
    for (const one of judged) {
      const score = probabilityOf(fit, one.case, config);
      add(sums.all, score, one.outcome);
      if (!isVolunteered(one)) add(sums.unchosen, score, one.outcome);
    }
  }
  const filled = (bins: readonly BinSums[]) => bins.filter(({ n }) => n > 0);
  return { unchosen: filled(sums.unchosen), all: filled(sums.all) };
}

type Sums = { -readonly [name in keyof BinSums]: BinSums[name] };

const emptyBins = (): Sums[] =>
  Array.from({ length: RELIABILITY_BINS }, (_, bin) => ({ bin, n: 0, scores: 0, outcomes: 0, squares: 0 }));

function add(bins: Sums[], score: number, outcome: number): void {
  const bin = bins[binOf(score)]!;
  bin.n++;
  bin.scores += score;
  bin.outcomes += outcome;
  bin.squares += (score - outcome) ** 2;
}
