import { defineSlice } from "../../kernel/slice.ts";
import { shadowTaskJob } from "../tasks/public.ts";
import { gateFacts } from "./gates/facts.ts";
import { reviewSweep } from "./reviews/operations/draw-reviews.ts";
import { createRunJob, runSweep } from "./runs/jobs/run-job.ts";
import { runJobName } from "./runs/rules.ts";
import * as schemas from "./schemas.ts";
import { createShadowJob, shadowSweep } from "./shadows/jobs/shadow-job.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    ds: "datasets";
    mon: "monitors";
    rev: "reviews";
    run: "evaluation runs";
    shr: "runs of shadows";
  }
}

export const slice = defineSlice({
  about: "Datasets, scorers, runs, gates and reviews.",
  schemas,
  actions: {
    "dataset.change": {},
    "dataset.create": {},
    "dataset.read": {},
    "evaluation.read": {},
    "evaluation.run": {},
    "gate.read": {},
    "gate.set": {},
    "review.submit": {},
    "review.monitor": {},
    "review.read": {},
    "scorer.read": {},
    "scorer.set": {},
  },
  facts: [gateFacts],
  sweeps: [reviewSweep],
  jobs: [
    { name: runJobName, sweep: runSweep, handler: (parts) => createRunJob(parts) },
    { name: shadowTaskJob, sweep: shadowSweep, handler: (parts) => createShadowJob(parts) },
  ],
});
