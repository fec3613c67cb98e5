import type { AgentTrust } from "./schemas.ts";

const interval = { score: 0.8636, low: 0.8222, high: 0.8967 };
const labels = { evaluation: 100, random: 41, volunteered: 12 };
const typical = { probability: 0.858, probability_source: "trained" as const };

export const exampleTrust: AgentTrust = {
  agent: "sales",
  version: 1,
  version_id: "ver_01jd8x0000000000000000000c",
  live: true,
  ...interval,
  formula: "trust-3",
  as_of: "2026-11-20T11:00:00.000Z",
  skills: [
    {
      skill: "qualify_lead",
      ...interval,
      basis: "trained",
      parts: [
        { kind: "base", name: "base", value: 0.0366 },
        { kind: "drift", name: "drift", value: 0.0102 },
        { kind: "probability", name: "probability", value: 1.7989 },
      ],
      case: typical,
      digest: "sha256:9f2c",
      labels,
      random_share: 0.77,
      judged_share: 0.03,
      fits: [
        {
          digest: "sha256:41aa",
          version: "trust-3",
          basis: "trained",
          b: 0.0366,
          drift: 0.0102,
          a: 1,
          theta: { findings: -1.5, ungrounded: -0.1, novelty: -3, injection: -1.5 },
          c: -0.8,
          novelty_from: 0.4,
          covariance: [[0.03]],
          as_of: 1_795_000_000_000,
          live: true,
          typical,
          labels,
          judged_share: 0.03,
          records_digest: "sha256:77e1",
        },
      ],
      improvements: [
        {
          kind: "judged",
          name: "judged",
          items: 10,
          score: 0.8702,
          low: 0.831,
          gain: 0.0066,
          detail: "10 more tasks drawn at random, judged, and all accepted",
        },
      ],
      limits: [
        "Fewer than 5 % of the tasks are judged: a drop shows late. With 2 %, 15 days after a drop of 15 points the score is still about .12 too high; with 10 %, .08.",
      ],
    },
  ],
  history: [{ date: "2026-11-20", ...interval, labels: 153 }],
  reliability: {
    n: 141,
    of: "unchosen",
    random_share: 0.77,
    ece: 0.02,
    brier: 0.11,
    bins: [{ from: 0.8, to: 0.9, n: 141, mean_score: 0.86, mean_outcome: 0.88, low: 0.84, high: 0.91 }],
  },
};
