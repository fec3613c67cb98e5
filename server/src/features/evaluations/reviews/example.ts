import type { Monitor, Review } from "../schemas.ts";

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
