/** The numbers of the trust score. All are starting values; a changed set gets a new `version`, which every digest holds. */

/** Signals about one case, each in [0, 1], that may lower its score and never raise it. */
export const features = ["findings", "ungrounded", "novelty", "injection"] as const;
export type Feature = (typeof features)[number];

/**
 * What a case's score starts from. `trained`: a probability from our own trainer, calibrated out of fold. `told`: a probability that a provider's model states.
 * `none`: no probability, so that only judged cases say anything.
 */
export const bases = ["trained", "told", "none"] as const;
export type Basis = (typeof bases)[number];

/** A normal distribution. */
export interface Normal {
  readonly mean: number;
  readonly variance: number;
}

/** Priors of one basis; `a` is null where there is no probability to weigh. */
export interface Priors {
  readonly b: Normal;
  readonly a: Normal | null;
  readonly theta: Readonly<Record<Feature, Normal>>;
}

export interface TrustConfig {
  readonly version: string;
  readonly priors: Readonly<Record<Basis, Priors>>;
  /** Variances of δ: of the step from evaluations to live tasks, and of each week of live tasks. */
  readonly drift: { readonly first: number; readonly week: number };
  /** c ~ N(shift · f, f²) with f = max(least, 1 − π). */
  readonly volunteered: { readonly shift: number; readonly least: number };
  /** What the variances of c and b grow by when a new version borrows them. */
  readonly borrowed: { readonly c: number; readonly b: number };
  /** |logit p| is clipped here. */
  readonly most_logit: number;
  /** The least a: a higher probability never gives a lower score. */
  readonly least_a: number;
  /**
   * Novelty counts from the 95 % quantile of judged cases on, or from `start` where fewer than `cases` tell one, so that the usual spread of a model's novelty
   * neither lowers scores nor drowns the prior.
   */
  readonly novelty: { readonly quantile: number; readonly start: number; readonly cases: number };
  /** Labels that one fit takes into account, the newest ones. */
  readonly most_labels: number;
}

const normal = (mean: number, deviation: number): Normal => ({ mean, variance: deviation ** 2 });

/** Without a probability the signals carry all that is known of the case; a calibrated probability holds most of them already. */
const strong = {
  findings: normal(-1.5, 0.5),
  ungrounded: normal(-1, 0.5),
  novelty: normal(-3, 0.75),
  injection: normal(-1.5, 0.5),
};
const calibrated = { ...strong, ungrounded: normal(-0.1, 0.2) };

export const startTrustConfig: TrustConfig = {
  version: "trust-3",
  priors: {
    trained: { b: normal(0, 0.2), a: normal(1, 0.15), theta: calibrated },
    told: { b: normal(0, 1), a: normal(1, 0.5), theta: strong },
    // 1.1023: without any evidence the score is 0.5 [0.1958, 0.8042].
    none: { b: normal(0, 1.1023), a: null, theta: strong },
  },
  drift: { first: 0.1 ** 2, week: 0.15 ** 2 },
  volunteered: { shift: -0.5, least: 0.02 },
  borrowed: { c: 0.3 ** 2, b: 0.7 ** 2 },
  novelty: { quantile: 0.95, start: 0.8, cases: 20 },
  most_logit: 7,
  least_a: 0.05,
  most_labels: 10_000,
};
