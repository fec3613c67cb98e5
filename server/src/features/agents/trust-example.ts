import type { AgentTrust } from "./trust-schemas.ts";

const interval = { score: 0.8636, low: 0.7624, high: 0.9394 };

/** An agent's trust for the description and the documentation. */
export const exampleTrust: AgentTrust = {
  agent: "sales",
  version: 1,
  version_id: "ver_01jd8x0000000000000000000c",
  live: true,
  ...interval,
  formula: "trust-2",
  as_of: "2026-11-20T11:00:00.000Z",
  skills: [
    {
      skill: "qualify_lead",
      ...interval,
      parts: [
        { kind: "base", name: "base", value: 0 },
        { kind: "channel", name: "evaluations", value: 1.8458 },
      ],
      digest: "sha256:9f2c",
      evidence: [{ channel: "evaluations", items: 18, successes: 17, failures: 1, weight: 1, cap: 60 }],
      from_versions: [{ version: 1, version_id: "ver_01jd8x0000000000000000000c", change: "none", counts: 1, items: 18 }],
      raise: [
        { kind: "evidence", name: "evaluations", items: 10, score: 0.9063, low: 0.8362, gain: 0.0427, detail: "10 more test items passed" },
      ],
    },
  ],
  history: [{ date: "2026-11-20", ...interval, items: 18 }],
  reliability: {
    n: 12,
    ece: 0.04,
    brier: 0.11,
    bins: [{ from: 0.8, to: 0.9, n: 12, mean_score: 0.86, mean_outcome: 0.9, low: 0.75, high: 0.97 }],
  },
  calibration: {
    a: 1,
    b: 0,
    adopted: false,
    labels: 12,
    labels_needed: 200,
    reason: "12 of the 200 labels that a calibration needs are there.",
    fitted_at: null,
  },
};
