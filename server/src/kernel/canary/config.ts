/** The numbers of a canary's decision that no rule sets by itself. */
export const canaryConfig = {
  /** Chance that a canary no worse than the live version is ever aborted, by the share of accepted and by the share of failed tasks. */
  abort: { quality: 0.028, failures: 0.002 },
  /** How that is spent: nearly all by about this many judged tasks of the canary, the rest without end. */
  abort_scale: 270,
  abort_power: 14,
  abort_rest: 0.03,
  /** Chance that a canary worse by the tolerance is promoted. */
  promote: 0.06,
  /** How that is spent, by either share: as this power of the part of the limit that was judged. Failures rest on all ended tasks, so that little is lost by spending early. */
  promote_power: { quality: 4, failures: 0.5 },
  /** Judged tasks of the canary at the first look. */
  first_look: 25,
  /** Independent tasks of an arm without which its part of the time counts for nothing. */
  least: 5,
  /** Error on each side of intervals that are shown. */
  alpha: 0.025,
} as const;
