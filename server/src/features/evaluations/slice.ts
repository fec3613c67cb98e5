import { defineSlice } from "../../kernel/slice.ts";
import { shadowTaskJob } from "../tasks/public.ts";
import { gateFacts } from "./facts.ts";
import { reviewSweep } from "./jobs/review-sweep.ts";
import { createRunJob } from "./jobs/run-job.ts";
import { runSweep } from "./jobs/run-sweep.ts";
import { createShadowJob } from "./jobs/shadow-job.ts";
import { shadowSweep } from "./jobs/shadow-sweep.ts";
import { runJobName } from "./run-model.ts";
import * as schemas from "./schemas.ts";

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
