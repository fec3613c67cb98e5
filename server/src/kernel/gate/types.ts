/** What a gate asks of a version (governance: evaluation gate). */
export interface GateRule {
  /** Least mean score, in [0, 1]; 0 asks for nothing. A scorer may have a floor of its own. */
  readonly floor: number;
  /** δ: a drop against the deployed version that is still accepted, in [0, 1]. */
  readonly tolerance: number;
  /** Repeats per item with which the first decision is made. */
  readonly repeats: number;
  /** Repeats per item up to which an inconclusive decision may grow. */
  readonly max_repeats: number;
}

/** What one scorer said of one item. Repeats in the order in which they ran; a run that failed scores 0. */
export interface GateItem {
  readonly item: string;
  /** Items that hang together (one conversation, one document) name the same cluster and count as one; left out: the item by itself. */
  readonly cluster?: string;
  /** The version fails when this item fails in most repeats. */
  readonly must_pass?: boolean;
  /** Scores in [0, 1] of the version to be judged. */
  readonly candidate: readonly number[];
  /** Scores in [0, 1] of the deployed version on the same item; left out or empty where it was not run on it. */
  readonly deployed?: readonly number[];
}

export interface GateScorer {
  readonly scorer: string;
  /** A score from here on passes, in (0, 1]. */
  readonly pass_at: number;
  /** Overrides the rule's. */
  readonly floor?: number;
  readonly items: readonly GateItem[];
}

export interface GateInput {
  readonly rule: GateRule;
  /** Whether another version is deployed to be compared with. False (none is, or it is this one): only the floor counts. */
  readonly compared: boolean;
  /** Test sets that the deployed version should have been run on and was not: a comparison over the others says nothing of these. */
  readonly uncompared?: readonly string[];
  /**
   * 1 for the first decision about this version, these items; 2 and more each time repeats were added to them since. The first uses bounds of fixed
   * size, later ones an always-valid test, which may be asked as often as one likes.
   */
  readonly look: number;
  readonly scorers: readonly GateScorer[];
}

export type GateVerdictWord = "open" | "failed" | "inconclusive";

export type GateReasonCode =
  | "must_pass_failed"
  | "worse_than_deployed"
  | "below_floor"
  | "drop_not_excluded"
  | "floor_not_reached"
  | "not_compared"
  | "too_few_items"
  | "holds";

/** Why a verdict is what it is. `text` is a sentence for people, with its figures. */
export interface GateReason {
  readonly code: GateReasonCode;
  readonly scorer: string | null;
  readonly item: string | null;
  readonly text: string;
}

/** A mean with its one-sided 95 % bounds and the evidence against what it is held to. */
export interface BoundedMean {
  readonly mean: number;
  /** Standard error, robust to clusters. */
  readonly standard_error: number;
  /** One-sided 95 % bounds: the truth lies above `low`, and below `high`, each with 95 %. Null where a single cluster says nothing. */
  readonly low: number | null;
  readonly high: number | null;
  /** Independent clusters. */
  readonly n: number;
  /** The smallest true shortfall that a test of this size finds in 80 of 100 cases. Null where a single cluster says nothing. */
  readonly smallest_detectable_drop: number | null;
}

/** How one question was answered: p-values at the first look, 1/e at later ones; `e` only at later ones. */
export interface GateTest {
  /** Of "it is as good as it must be": small where the version is worse. After Holm over the scorers. */
  readonly p_worse: number;
  /** Of "it is worse than allowed": small where the version holds. Opening needs it from every scorer, so it needs no correction. */
  readonly p_holds: number;
  readonly e_worse: number | null;
  readonly e_holds: number | null;
}

export interface ScorerFigures {
  readonly scorer: string;
  readonly items: number;
  readonly repeats: number;
  readonly floor: number;
  /** Mean score of the version over items, against the floor. */
  readonly score: BoundedMean & GateTest;
  /** Mean of (this version − deployed version) over the items that both ran, against 0 and the tolerance; null where there is nothing to compare with. */
  readonly difference: (BoundedMean & GateTest) | null;
  /** Items that failed in any repeat, and the 95 % upper bound of their share: 3/n where none did. */
  readonly failures: { readonly items: number; readonly share_at_most: number };
}

export interface GateDecision {
  readonly verdict: GateVerdictWord;
  readonly reasons: readonly GateReason[];
  readonly look: number;
  /** Independent clusters of the scorer that has the fewest. */
  readonly n: number;
  /** Repeats of the item that has the fewest. */
  readonly repeats: number;
  /** The largest among the scorers: of the difference where there is one, else of the score. Null where nothing can be detected. */
  readonly smallest_detectable_drop: number | null;
  /** So many independent items would settle it in 80 of 100 cases if they fall out as these did. Null: no number would, as far as one can see. */
  readonly items_to_settle: number | null;
  /**
   * Repeats to run next, of the candidate and of the deployed version alike: with the candidate's alone, the noise of the other stays. 0 where the
   * verdict stands, the budget is used up, or repeats agree so that only more items can tell.
   */
  readonly repeats_to_add: number;
  readonly scorers: readonly ScorerFigures[];
}
