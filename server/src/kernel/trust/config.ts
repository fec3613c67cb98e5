/** The numbers of the trust score (governance: trust score). All are starting values; a changed set gets a new `version`, which every digest holds. */
export const channels = ["evaluations", "runs", "approvals", "groundedness"] as const;
export type Channel = (typeof channels)[number];

export const features = ["findings", "uncertainty", "ungrounded", "novelty", "injection", "human_approved"] as const;
export type Feature = (typeof features)[number];

/** What changed between the version an item of evidence was won on and the one that is scored. */
export type VersionChange = "none" | "prompt_or_tool" | "model";

export interface TrustConfig {
  readonly version: string;
  /** Weight of the prior, in items of evidence. */
  readonly kappa: number;
  /** Base rate of acceptance before any evidence, in [0.05, 0.95]. */
  readonly m0: number;
  readonly half_life_days: number;
  /** `weight` of one item; `cap`: the most that a channel can weigh, in items of weight 1. */
  readonly channels: Readonly<Record<Channel, { readonly weight: number; readonly cap: number }>>;
  /** Logits per feature at its full strength. The signs are fixed: only `human_approved` may raise. */
  readonly theta: Readonly<Record<Feature, number>>;
  /** v: what an item counts after a change. */
  readonly version_factor: Readonly<Record<VersionChange, number>>;
  /** q of a model judge whose error rates nobody has measured yet. */
  readonly unmeasured_judge: number;
}

export const startTrustConfig: TrustConfig = {
  version: "trust-2",
  kappa: 4,
  m0: 0.5,
  half_life_days: 30,
  channels: {
    evaluations: { weight: 1, cap: 60 },
    runs: { weight: 0.5, cap: 60 },
    approvals: { weight: 1, cap: 40 },
    groundedness: { weight: 0.5, cap: 30 },
  },
  theta: { findings: -1.5, uncertainty: -4, ungrounded: -1, novelty: -0.5, injection: -1.5, human_approved: 0.5 },
  version_factor: { none: 1, prompt_or_tool: 0.5, model: 0.25 },
  unmeasured_judge: 0.25,
};

/** Refuses numbers under which the score would lose its meaning: a RangeError says which. Returns the same object. */
export function checkTrustConfig(config: TrustConfig): TrustConfig {
  const must = (holds: boolean, rule: string) => {
    if (!holds) throw new RangeError(`trust configuration ${config.version}: ${rule}`);
  };
  must(config.kappa >= 4 && Number.isFinite(config.kappa), "kappa must be at least 4");
  // Below that the prior is so skewed that its mean would leave its own 10 % to 90 % interval.
  must(config.m0 >= 0.05 && config.m0 <= 0.95, "m0 must lie in [0.05, 0.95]");
  must(config.half_life_days > 0, "half_life_days must be positive");
  for (const channel of channels) {
    const { weight, cap } = config.channels[channel];
    must(weight > 0 && cap >= 0 && cap <= 10_000, `${channel} needs a positive weight and a cap from 0 to 10000`);
  }
  for (const feature of features) {
    const theta = config.theta[feature];
    must(Number.isFinite(theta) && (feature === "human_approved" ? theta >= 0 : theta <= 0), `the sign of ${feature} is fixed`);
  }
  for (const factor of [...Object.values(config.version_factor), config.unmeasured_judge])
    must(factor >= 0 && factor <= 1, "factors lie in [0, 1]");
  return config;
}
