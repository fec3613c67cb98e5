import type { Static } from "typebox";
import type {
  AnomalyFigures,
  ApprovalFigures,
  Figure,
  KnowledgeFigures,
  QualityFigures,
  RealtimeFigures,
  RiskFigures,
} from "../schemas.ts";
import type { Experiment } from "./schemas.ts";

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
  value,
  n,
  previous,
  low: low ?? null,
  high: high ?? null,
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
      agent: "sales",
      skill: "qualify_lead",
      version: 4,
      dataset: "sample-questions",
      finished_at: "2026-11-09T15:58:00.000Z",
      verdict: "open" as const,
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
          n: 104,
          observed: 0.365,
          expected: 0.054,
          test: "Fisher's exact test, one-sided",
          p_value: 0.00001,
          adjusted_p_value: 0.00008,
        },
      ],
    },
  ],
  tested: { decisions: 180, least: 30, questions: 8 },
};

type Arm = Experiment["arms"]["canary"];

const canary: Arm = {
  deployment_id: "dep_01jd8x0000000000000000000g",
  version: 2,
  version_id: "ver_01jd8x0000000000000000000d",
  tasks: 310,
  open: 4,
  completed: 301,
  failed: 5,
  judged: 96,
  accepted: { value: 0.9, low: 0.823, high: 0.945, n: 96 },
  succeeded: { value: 0.984, low: 0.962, high: 0.993, n: 306 },
  trust_mean: 0.86,
  cost_per_task: 0.011,
  duration_p50: 2.4,
  duration_p90: 6.1,
};

const comparison = {
  difference: 0.004,
  low: -0.06,
  high: 0.068,
  p_worse: 1,
  p_holds: 0.05,
  abort_at: -0.12,
  promote_at: 0.07,
};

export const exampleExperiment: Experiment = {
  deployment_id: canary.deployment_id as string,
  agent: "sales",
  state: "canary",
  outcome: null,
  reason: null,
  share: 10,
  held: null,
  rule: { promote: "by_rule", tolerance: 0.05, most_judged: 1000, least_hours: 0, on_limit: "hold" },
  started_at: "2026-11-20T09:00:00.000Z",
  ended_at: null,
  arms: {
    canary,
    stable: {
      ...canary,
      deployment_id: "dep_01jd8x0000000000000000000f",
      version: 1,
      version_id: "ver_01jd8x0000000000000000000c",
      tasks: 2804,
      open: 31,
      completed: 2720,
      failed: 50,
      judged: 880,
      accepted: { value: 0.896, low: 0.874, high: 0.914, n: 880 },
      succeeded: { value: 0.982, low: 0.976, high: 0.986, n: 2770 },
    },
  },
  looks: [
    {
      look: 1,
      at: "2026-11-20T15:00:00.000Z",
      judged: 25,
      quality: comparison,
      failures: { ...comparison, difference: 0.002 },
      verdict: "undecided",
      text: "Neither a drop nor its absence is shown yet.",
    },
  ],
  judged: 101,
  outlook: {
    verdict: "no_worse",
    leads_to: "promotion",
    needed: 299,
    next_look: 150,
    text: "If tasks go on as they did, it is found no worse after about 299 more judged tasks of the canary, and is promoted.",
  },
  notes: [],
};

const none = { n: 0, link: null, items: [] };
const counts = { violations: figure(14, 14, 9), blocked: figure(12, 12, 8), policy_denials: figure(11, 11, 8) };
const bySource = {
  ...counts,
  pause_blocks: figure(1, 1, 0),
  kill_switch_blocks: figure(0, 0, 0),
  gate_blocks: figure(0, 0, 0),
  budget_blocks: figure(0, 0, 0),
};

export const exampleRisk: Static<typeof RiskFigures> = {
  ...exampleHead,
  figures: bySource,
  near_misses: { rejected: 6, would_have: 2, warned: 1, approved_wrong: 3 },
  series: [{ ...day, values: { violations: 2, policy_denials: 1 } }],
  reasons: [{ key: { policy: "pol_01jd8x0000000000000000000q", reason: "amount_above_limit" }, figures: counts }],
  by_agent: [{ key: { agent: "sales" }, figures: counts }],
  exposure: {
    open_high_risk: {
      n: 2,
      link: "/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical",
      items: [
        {
          name: "sales",
          n: 2,
          link: "/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical&agent=sales",
        },
      ],
    },
    unknown_outcomes: none,
    kill_switches: {
      n: 1,
      link: "/v1/governance/kill-switch",
      items: [
        {
          id: "ksw_01jd8x0000000000000000000s",
          what: "tool send_email: It wrote to the wrong people.",
          since: "2026-11-22T14:00:00.000Z",
        },
      ],
    },
    pauses: none,
    exceptions: none,
    steered: none,
  },
};

const base = "/v1/knowledge/bases/kb_01jd8x0000000000000000000k";

export const exampleKnowledge: Static<typeof KnowledgeFigures> = {
  ...exampleHead,
  questions: 420,
  hit_rate: { value: 0.86, low: 0.823, high: 0.89, n: 420 },
  series: [{ ...day, values: { questions: 18, hit_rate: 0.89 } }],
  bases: [
    {
      base_id: "kb_01jd8x0000000000000000000k",
      name: "handbook",
      questions: 420,
      hit_rate: { value: 0.86, low: 0.823, high: 0.89, n: 420 },
      documents: 64,
      unused: 9,
      stale: 2,
      links: { documents: `${base}/documents`, gaps: `${base}/gaps`, stale: `${base}/stale` },
    },
  ],
  unused: [
    {
      document_id: "doc_01jd8x0000000000000000000d",
      base_id: "kb_01jd8x0000000000000000000k",
      title: "Old prices",
      last_retrieved_at: null,
      created_at: "2026-03-02T09:00:00.000Z",
    },
  ],
  gaps: [
    {
      base_id: "kb_01jd8x0000000000000000000k",
      question: "How long is the warranty of spare parts?",
      asked: 7,
      last_asked_at: "2026-11-22T15:10:00.000Z",
      agents: ["support"],
      link: `${base}/gaps`,
    },
  ],
};

export const exampleAnomalies: Static<typeof AnomalyFigures> = {
  ...exampleHead,
  method: "Each hour is compared with the same hours of the six weeks before.",
  level: 0.05,
  hours: 3_600,
  agents: [{ agent: "sales", weeks: 6, enough: true }],
  anomalies: [
    {
      kind: "cost",
      agent: "sales",
      from: "2026-11-22T03:00:00.000Z",
      to: "2026-11-22T04:00:00.000Z",
      observed: 9.4,
      expected: 0.62,
      low: 0.2,
      high: 1.5,
      n: 24,
      p_value: 0.0000004,
      text: "sales spent 9.40 US dollars between 03:00 and 04:00 UTC on 2026-11-22, where 0.62 is usual.",
      link: "/v1/tasks?agent=sales&created_after=2026-11-22T03%3A00%3A00.000Z&created_before=2026-11-22T04%3A00%3A00.000Z",
    },
  ],
};

export const exampleRealtime: Static<typeof RealtimeFigures> = {
  as_of: "2026-11-23T10:00:00.000Z",
  states: [{ status: "running", n: 3, oldest_at: "2026-11-23T09:58:40.000Z", link: "/v1/tasks?status=running" }],
  agents: [
    {
      agent: "sales",
      queued: 4,
      running: 3,
      awaiting_approval: 1,
      input_required: 0,
      oldest_at: "2026-11-23T09:41:00.000Z",
    },
  ],
  workers: { busy: 1, tasks: 3, lapsed: 0 },
  minutes: [{ from: "2026-11-23T09:59:00.000Z", tasks: 12, completed: 9, failed: 0 }],
  more: false,
};
