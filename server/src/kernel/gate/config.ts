/** The numbers of the gate's decision that no gate sets by itself. */
export const gateConfig = {
  /** Error of each one-sided bound that is shown. */
  alpha: 0.05,
  /** The p-values at or below which a look decides, in looks that are planned, in all reruns together, and where all repeats agree so that one look is all. */
  levels: {
    planned: [
      { fail: 0.02, open: 0.01 },
      { fail: 0.01, open: 0.005 },
      { fail: 0.015, open: 0.01 },
    ],
    rerun: { fail: 0.005, open: 0.002 },
    agreed: { fail: 0.045, open: 0.025 },
  },
  /** The chance with which the smallest detectable drop is found, and items that would settle it do. */
  power: 0.8,
  /** More items than this are no advice. */
  most_items: 1_000_000,
} as const;
