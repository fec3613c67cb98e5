import type { FactSet } from "../../../kernel/facts.ts";
import type { JobHandlers, Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { gateFacts } from "../facts.ts";
import { createRunJob, type RunJobParts } from "../jobs/run-job.ts";
import { runSweep } from "../jobs/run-sweep.ts";
import { addItems } from "../operations/add-items.ts";
import { createDataset } from "../operations/create-dataset.ts";
import { createMonitor } from "../operations/create-monitor.ts";
import { drawReviews } from "../operations/draw-reviews.ts";
import { finishRun } from "../operations/finish-run.ts";
import { giveReview } from "../operations/give-review.ts";
import { listDatasets } from "../operations/list-datasets.ts";
import { listMonitors } from "../operations/list-monitors.ts";
import { listReviews } from "../operations/list-reviews.ts";
import { listRuns } from "../operations/list-runs.ts";
import { listScorers } from "../operations/list-scorers.ts";
import { readGate } from "../operations/read-gate.ts";
import { readRun } from "../operations/read-run.ts";
import { readScorer } from "../operations/read-scorer.ts";
import { removeMonitor } from "../operations/remove-monitor.ts";
import { setGate } from "../operations/set-gate.ts";
import { setScorer } from "../operations/set-scorer.ts";
import { startRun } from "../operations/start-run.ts";
import { reviewSweep } from "../reviews/sweep.ts";
import { runJobName } from "../run-model.ts";

// Datasets, scorers, runs, gates and the review queue, and the job that carries runs out.

export const operations: readonly Operation[] = [
  ...[listDatasets, createDataset, addItems, listScorers, setScorer, readScorer],
  ...[listRuns, startRun, readRun, readGate, setGate, finishRun],
  ...[listMonitors, createMonitor, removeMonitor, listReviews, giveReview, drawReviews],
];
export const createJobs = (parts: RunJobParts): JobHandlers => ({ [runJobName]: createRunJob(parts) });
export const facts: readonly FactSet<unknown>[] = [gateFacts];
export const sweeps: readonly Sweep[] = [runSweep, reviewSweep];
