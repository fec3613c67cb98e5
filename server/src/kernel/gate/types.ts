/** What a gate asks of a version. */
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
  /** Datasets that the deployed version should have been run on and was not: a comparison over the others says nothing of these. */
  readonly uncompared?: readonly string[];
  /** Repeats of each item that all runs of the version have together; of several datasets, of the one that has the fewest. From 1. */
  readonly repeats: number;
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

/** How one question was answered. */
export interface GateTest {
  /** Of "it is as good as it must be": small where the version is worse. After Holm over the scorers. */
  readonly p_worse: number;
  /** Of "it is worse than allowed": small where the version holds. Opening needs it from every scorer, so it needs no correction. */
  readonly p_holds: number;
}

/** The p-values at or below which a look fails a version, and opens its gate. */
export interface GateLevels {
  readonly fail: number;
  readonly open: number;
}

/** One look at the pooled repeats: the least of its p-values against the version, the largest of those for it, and what followed. */
export interface GateLook {
  /** From 1. */
  readonly look: number;
  /** Repeats of each item that it saw. */
  readonly repeats: number;
  readonly levels: GateLevels;
  readonly p_worse: number;
  readonly p_holds: number;
  readonly verdict: GateVerdictWord;
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
  /** Number of the newest look. */
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
  /** What the gate has seen: each look at the pooled repeats, up to the one that failed. */
  readonly looks: readonly GateLook[];
  /** The look to come once there are so many pooled repeats; null where the verdict is final or repeats agree, so that only more items can tell. */
  readonly next: { readonly look: number; readonly repeats: number; readonly levels: GateLevels } | null;
  /** Figures of the newest look. */
  readonly scorers: readonly ScorerFigures[];
}
