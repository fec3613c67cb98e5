import type {
  Dataset,
  DatasetItem,
  EvaluationRun,
  Gate,
  GateDecision,
  Monitor,
  Review,
  Scorer,
  ShadowRun,
  ShadowSummary,
} from "./schemas.ts";

const member = "mbr_01jd8x0000000000000000000e";
const versionId = "ver_01jd8x0000000000000000000c";

export const exampleItems: DatasetItem[] = [
  {
    item: "reseller-1",
    input: { lead_id: "ld_1002" },
    expected: { team: "partners" },
    must_pass: true,
    labels: ["reseller"],
  },
  { item: "reseller-2", input: { lead_id: "ld_1017" }, expected: { team: "partners" }, labels: ["reseller"] },
];

export const exampleDataset: Dataset = {
  dataset_id: "ds_01jd8x0000000000000000000u",
  name: "lead-routing",
  agent: "sales",
  skill: "route_lead",
  description: "Leads whose team is beyond doubt.",
  tags: ["sample"],
  version: 1,
  digest: "7d1f0c2b4a6988775f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0f9e",
  coverage: { items: 2, must_pass: 1, clusters: 2, labels: { reseller: 2 }, expected: { "/team": 2 } },
  deciders: [
    { id: member, how: "dataset", of: "dataset:ds_01jd8x0000000000000000000u@1", at: "2026-11-20T09:00:00.000Z" },
  ],
  confirmed_by: null,
  confirmed_at: null,
  created_by: member,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:00:00.000Z",
};

export const exampleScorer: Scorer = {
  scorer: "same-team",
  version: 1,
  kind: "exact",
  pointer: "/team",
  parameters: {},
  pass_at: 1,
  description: "The lead goes to the team that it should.",
  samples: [
    { output: { team: "partners" }, expected: { team: "partners" }, score: 1 },
    { output: { team: "midmarket" }, expected: { team: "partners" }, score: 0 },
  ],
  created_by: member,
  created_at: "2026-11-20T09:01:00.000Z",
};

export const exampleRun: EvaluationRun = {
  run_id: "run_01jd8x0000000000000000000v",
  agent: "sales",
  skill: "route_lead",
  version: 2,
  version_id: versionId,
  dataset_id: exampleDataset.dataset_id,
  dataset: exampleDataset.name,
  dataset_version: 1,
  scorers: [{ scorer: "same-team", version: 1 }],
  repeats: 3,
  seed: 1,
  budget: { items: null, usd: 2 },
  state: "completed",
  progress: { done: 6, failed: 0, total: 6 },
  usage: { steps: 12, tokens: 4100, cost_usd: 0.03 },
  stopped_by: null,
  verdict: "inconclusive",
  waits_for: null,
  failure: null,
  note: "Before version 2 goes live.",
  requested_by: member,
  created_at: "2026-11-20T09:02:00.000Z",
  started_at: "2026-11-20T09:02:00.040Z",
  finished_at: "2026-11-20T09:02:04.800Z",
};

const estimate = {
  mean: 1,
  standard_error: 0,
  low: 0.22,
  high: 1,
  n: 2,
  smallest_detectable_drop: 0.9,
  p_worse: 1,
  p_holds: 0.64,
};

export const exampleDecision: GateDecision = {
  verdict: "inconclusive",
  reasons: [
    {
      code: "floor_not_reached",
      scorer: "same-team",
      item: null,
      text: "same-team: 1 does not show that the floor of 0.8 is reached (2 independent items; p = .64, at most .025 opens).",
    },
  ],
  look: 1,
  n: 2,
  repeats: 3,
  smallest_detectable_drop: 0.9,
  items_to_settle: 14,
  repeats_to_add: 0,
  looks: [
    { look: 1, repeats: 3, levels: { fail: 0.045, open: 0.025 }, p_worse: 1, p_holds: 0.64, verdict: "inconclusive" },
  ],
  next: null,
  scorers: [
    {
      scorer: "same-team",
      items: 2,
      repeats: 3,
      floor: 0.8,
      score: estimate,
      difference: null,
      failures: { items: 0, share_at_most: 0.78 },
    },
  ],
};

export const exampleGate: Gate = {
  agent: "sales",
  environment: "production",
  revision: 1,
  rules: {
    datasets: [{ dataset_id: exampleDataset.dataset_id, name: exampleDataset.name, version: 1, latest_version: 2 }],
    scorers: [{ scorer: "same-team", version: 1, latest_version: 1 }],
    newer_versions: true,
    floor: 0.8,
    tolerance: 0.05,
    repeats: 3,
    max_repeats: 12,
    lifetime_days: 30,
    fail_closed: false,
    on_missing: null,
    table: { inconclusive: "deny" },
    updated_by: member,
    updated_at: "2026-11-20T09:01:30.000Z",
  },
  consequences: {
    open: "allow",
    failed: "deny",
    inconclusive: "deny",
    expired: "require_approval",
    missing: "require_approval",
  },
  versions: [
    {
      version: 2,
      version_id: versionId,
      deployed: false,
      state: "inconclusive",
      consequence: "deny",
      reasons: exampleDecision.reasons.map(({ text }) => text),
      runs: [exampleRun.run_id],
      decision: exampleDecision,
      decided_at: "2026-11-20T09:02:04.800Z",
      expires_at: "2026-12-20T09:02:04.800Z",
      compared_with: null,
    },
  ],
};

export const exampleMonitor: Monitor = {
  monitor_id: "mon_01jd8x0q3v7w9y2z4a6b8c0e2g",
  agent: "sales",
  skill: null,
  share: 0.02,
  double_review_share: 0.1,
  sampled: 0,
  open: 0,
  accepted: null,
  agreement: { pairs: 0, share: null, kappa: null },
  stopped_reason: null,
  created_by: "mbr_01jd8x0q3v7w9y2z4a6b8c0d1e",
  created_at: "2026-11-20T09:00:00.000Z",
};

export const exampleReview: Review = {
  review_id: "rev_01jd8x0q3v7w9y2z4a6b8c0e3h",
  task_id: "tsk_01jd8x0q3v7w9y2z4a6b8c0d2f",
  agent: "sales",
  skill: "route_lead",
  input: { lead_id: "ld_1001" },
  output: { team: "midmarket" },
  state: "open",
  verdicts_required: 1,
  verdicts_received: 0,
  verdicts: [],
  sampled_at: "2026-11-20T09:05:00.000Z",
};

export const exampleShadow: ShadowSummary = {
  deployment_id: "dep_01jd8x0q3v7w9y2z4a6b8c0e5k",
  agent: "sales",
  version: 4,
  state: "shadow",
  reason: null,
  share: 20,
  budget: { cost_usd: 5, used_usd: 0.12, tasks: 1_000, used_tasks: 40 },
  compared: 40,
  same: { share: 0.9, low: 0.779, high: 0.966 },
  up_to_a_write: 6,
  failed: { live: 1, shadow: 0 },
  cost_usd: { live: 0.2, shadow: 0.12 },
  mean_seconds: { live: 1.2, shadow: 0.9 },
  differences: [{ pointer: "/output/team", runs: 4 }],
  skipped: [],
  created_at: "2026-11-20T09:00:00.000Z",
  ended_at: null,
};

export const exampleShadowRun: ShadowRun = {
  shadow_run_id: "shr_01jd8x0q3v7w9y2z4a6b8c0e6m",
  task_id: "tsk_01jd8x0q3v7w9y2z4a6b8c0d2f",
  skill: "route_lead",
  state: "compared",
  reason: null,
  same: false,
  up_to: "end",
  differences: [{ pointer: "/output/team", live: "midmarket", shadow: "enterprise" }],
  live: { status: "completed", output: { team: "midmarket" }, failure: null, calls: [] },
  shadow: { status: "completed", output: { team: "enterprise" }, failure: null, calls: [] },
  cost_usd: { live: 0, shadow: 0 },
  seconds: { live: 0.4, shadow: 0.3 },
  created_at: "2026-11-20T09:05:00.000Z",
  finished_at: "2026-11-20T09:05:01.000Z",
};
