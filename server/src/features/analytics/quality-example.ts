import type { Static } from "typebox";
import type { ApprovalFigures, Figure, QualityFigures } from "./schemas.ts";

// Values that fit the schemas, shown in the description.

export const exampleHead = {
  from: "2026-10-24T00:00:00.000Z",
  to: "2026-11-23T00:00:00.000Z",
  time_zone: "UTC",
  grain: "day" as const,
  complete: true,
  as_of: "2026-11-23T10:00:00.000Z",
};

export const figure = (value: number, n: number, previous: number, [low, high]: readonly number[] = []): Figure => ({
  ...{ value, n, previous, low: low ?? null, high: high ?? null },
  link: "/v1/tasks?agent=sales&created_after=2026-10-24T00%3A00%3A00.000Z&created_before=2026-11-23T00%3A00%3A00.000Z",
});

const estimate = (value: number, low: number, high: number, n: number) => ({ value, low, high, n });

const day = { from: "2026-11-10T00:00:00.000Z", to: "2026-11-11T00:00:00.000Z", complete: true };

const quality = {
  accepted_rate: figure(0.87, 620, 0.92, [0.841, 0.894]),
  success_rate: figure(0.981, 1_840, 0.979, [0.974, 0.986]),
  trust_mean: figure(0.84, 1_860, 0.86),
  trust_calibration_error: figure(0.031, 620, 0.028),
  judged: figure(620, 620, 590),
};

export const exampleQuality: Static<typeof QualityFigures> = {
  ...exampleHead,
  figures: quality,
  series: [{ ...day, values: { accepted_rate: 0.79, judged: 24, success_rate: 0.97, tasks: 61, trust_mean: 0.82 } }],
  drift: {
    method: "Binary segmentation by a weighted CUSUM over the windows of the series.",
    level: 0.05,
    watched: [{ measure: "accepted_rate", n: 620, enough: true }],
    marks: [
      {
        measure: "accepted_rate",
        at: "2026-11-10T00:00:00.000Z",
        before: estimate(0.921, 0.887, 0.945, 340),
        after: estimate(0.807, 0.757, 0.849, 280),
        difference: estimate(-0.114, -0.168, -0.06, 620),
        worse: true,
        p_value: 0.0003,
        nearby: [
          {
            kind: "deployment",
            at: "2026-11-09T16:20:00.000Z",
            agent: "sales",
            what: "Version 4 of sales was deployed.",
            link: "/v1/agents/sales/deployments",
          },
        ],
      },
    ],
  },
  agents: [{ key: { agent: "sales" }, figures: quality }],
  evaluations: [
    {
      run_id: "run_01jd8x0000000000000000000r",
      ...{ agent: "sales", skill: "qualify_lead", version: 4, dataset: "sample-questions" },
      ...{ finished_at: "2026-11-09T15:58:00.000Z", verdict: "open" as const },
      scores: [{ scorer: "matches", score: estimate(0.93, 0.88, 0.98, 80) }],
      link: "/v1/evaluations/runs/run_01jd8x0000000000000000000r",
    },
  ],
  feedback: { given: 412, accepted: 371, not_accepted: 41, corrected: 18, rating: 4.3, rated: 120 },
};

const decisions = {
  time_to_decide_p50: figure(94, 180, 88),
  time_to_decide_p90: figure(1_260, 180, 1_410),
  edit_rate: figure(0.08, 180, 0.09, [0.05, 0.13]),
  override_rate: figure(0.06, 180, 0.07, [0.03, 0.1]),
  quick_rate: figure(0.22, 160, 0.12, [0.16, 0.29]),
  agreement: figure(0.91, 90, 0.93, [0.83, 0.95]),
};

export const exampleApprovals: Static<typeof ApprovalFigures> = {
  ...exampleHead,
  figures: {
    ...decisions,
    approvals: figure(190, 190, 175),
    decided: figure(180, 180, 170),
    expiry_rate: figure(0.02, 190, 0.01),
  },
  series: [{ ...day, values: { approvals: 7, decided: 7, time_to_decide_p50: 90, quick_rate: 0.2 } }],
  by_risk: [{ key: { risk: "high" }, figures: decisions }],
  by_agent: [{ key: { agent: "sales" }, figures: decisions }],
  approvers: [
    {
      approver: "mbr_01jd8x0000000000000000000e",
      name: "Reviewer 1",
      decided: 120,
      figures: decisions,
      enough: true,
      signs: [
        {
          sign: "quick",
          text: "38 of 104 approvals took five seconds at most; of others 3 of 56 did.",
          ...{ n: 104, observed: 0.365, expected: 0.054, test: "Fisher's exact test, one-sided" },
          ...{ p_value: 0.00001, adjusted_p_value: 0.00008 },
        },
      ],
    },
  ],
  tested: { decisions: 180, least: 30, questions: 8 },
};
