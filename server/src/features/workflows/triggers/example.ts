import type { Static } from "typebox";
import type { CreatedHook, Hook, WorkflowTrigger } from "./schemas.ts";

export const exampleTrigger: WorkflowTrigger = {
  trigger_id: "wtr_01jd8x0000000000000000000t",
  workflow: "refund",
  kind: "schedule",
  definition: { schedule: "0 7 * * MON-FRI", time_zone: "Europe/Vienna", overlap: "skip", missed: "run_once" },
  origin: "added",
  runs_as: "mbr_01jd8x0000000000000000000e",
  active: true,
  stopped_reason: null,
  next_at: "2026-11-23T06:00:00.000Z",
  last_at: "2026-11-20T06:00:00.000Z",
  last_run: "wfr_01jd8x0000000000000000000r",
  last_error: null,
  created_at: "2026-11-01T09:30:00.000Z",
};

export const exampleHook: Hook = {
  name: "orders",
  url: "https://aos.example.com/v1/hooks/orders",
  description: "The shop tells of refunds that customers ask for.",
  secret_overlap_until: null,
  created_by: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-01T09:30:00.000Z",
  updated_at: "2026-11-01T09:30:00.000Z",
};

export const exampleCreatedHook: Static<typeof CreatedHook> = {
  ...exampleHook,
  secret: "whsec_c2VjcmV0IHRoYXQgbm9ib2R5IGlzIHRvIGtub3chIQ==",
};
