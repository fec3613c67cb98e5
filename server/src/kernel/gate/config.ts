/** The numbers of the gate's decision that no gate sets by itself. */
export const gateConfig = {
  /** Error of each one-sided bound, and the anytime error of the sequential test. */
  alpha: 0.05,
  /** The chance with which the smallest detectable drop is found, and items that would settle it do. */
  power: 0.8,
  /** Size of the effects that the sequential test is tuned to find soonest, in units of a score. */
  effect: 0.05,
  /** More items than this are no advice. */
  most_items: 1_000_000,
} as const;
