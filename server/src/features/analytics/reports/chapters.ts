import type { Dimension, MeasureName } from "../rollups/measures.ts";

// What reports are made of: tables of measures, each with the measures of the whole before it.

export interface Chapter {
  readonly title: string;
  readonly measures: readonly MeasureName[];
  /** Tables by a dimension, each with the rows that have most of its first measure. */
  readonly tables: readonly { readonly by: Dimension; readonly measures: readonly [MeasureName, ...MeasureName[]] }[];
}

export const chapters = {
  overview: {
    title: "Overview",
    measures: [
      ...(["tasks", "completed", "failed", "success_rate", "accepted_rate", "trust_mean"] as const),
      ...(["cost_usd", "approvals", "policy_denials", "duration_p50", "duration_p90"] as const),
    ],
    tables: [{ by: "agent", measures: ["tasks", "success_rate", "accepted_rate", "cost_usd", "duration_p90"] }],
  },
  costs: {
    title: "Costs",
    measures: ["cost_usd", "cost_per_task", "cost_per_accepted", "tokens"],
    tables: [
      { by: "agent", measures: ["cost_usd", "tasks", "cost_per_task", "cost_per_accepted"] },
      { by: "model", measures: ["cost_usd", "tasks", "tokens"] },
      { by: "key", measures: ["cost_usd", "tasks"] },
    ],
  },
  quality: {
    title: "Quality",
    measures: ["judged", "accepted_rate", "trust_mean", "trust_calibration_error", "success_rate"],
    tables: [{ by: "skill", measures: ["judged", "accepted_rate", "trust_mean", "success_rate"] }],
  },
  approvals: {
    title: "Approvals",
    measures: [
      ...(["approvals", "decided", "time_to_decide_p50", "time_to_decide_p90"] as const),
      ...(["edit_rate", "override_rate", "expiry_rate", "quick_rate", "agreement"] as const),
    ],
    tables: [{ by: "approver", measures: ["decided", "time_to_decide_p50", "edit_rate", "override_rate"] }],
  },
  risk: {
    title: "Risk",
    measures: ["policy_denials", "violations"],
    tables: [{ by: "policy", measures: ["violations", "policy_denials"] }],
  },
} as const satisfies Record<string, Chapter>;
export type ChapterName = keyof typeof chapters;
export const chapterNames = Object.keys(chapters) as [ChapterName, ...ChapterName[]];
