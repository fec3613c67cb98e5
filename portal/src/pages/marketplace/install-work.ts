import { doStep, readRun, readTaskNow, readTraining, type Started } from "../../api/install-setup.ts";
import type { NextStep } from "../../api/installs.ts";
import type { Schema } from "../../api/types.ts";
import { counted, duration, percent, spoken } from "../../lib/words.ts";

/** How a step goes, or how it ended. */
export interface StepWork {
  readonly phase: "running" | "done" | "failed";
  readonly text: string;
  /** From 0 to 1; null: nobody knows how far. */
  readonly progress: number | null;
  /** The task that it dispatched. */
  readonly task?: string;
}

type Tell = (work: StepWork) => void;

const running = (text: string, progress: number | null = null): StepWork => ({ phase: "running", text, progress });
const done = (text: string): StepWork => ({ phase: "done", text, progress: 1 });
const failed = (text: string): StepWork => ({ phase: "failed", text, progress: null });

const pollPause = 700;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pollPause));

/** Does a step and waits until it has ended, telling how far it is. Throws the `Problem` of a call that was refused. */
export async function carryOut(step: NextStep, tell: Tell): Promise<StepWork> {
  tell(running("Starting"));
  return await ended(await doStep(step), tell);
}

function ended(started: Started, tell: Tell): Promise<StepWork> | StepWork {
  if (started.kind === "training") return trained(started.job, tell);
  if (started.kind === "run") return measured(started.run, tell);
  if (started.kind === "task") return answered(started.task, tell);
  return done("");
}

async function trained(first: Schema<"TrainingJob">, tell: Tell): Promise<StepWork> {
  let job = first;
  while (job.state === "queued" || job.state === "running") {
    tell(running(job.state === "queued" ? "Waiting for a worker" : spoken(job.phase), job.progress));
    await pause();
    job = await readTraining(job.agent, job.job_id);
  }
  if (job.state !== "completed") return failed(job.failure?.detail ?? `The training ${job.state}.`);
  return done(`${learntText(job)}${scoreText(job.metrics)}`);
}

function learntText({ examples, version, seconds }: Schema<"TrainingJob">): string {
  const from = examples === null ? "Trained" : `Trained on ${counted(examples.train, "example")}`;
  const time = seconds === null ? "" : ` in ${duration(seconds * 1000)}`;
  return `${from}${time}${version === null ? "; nothing new came out" : `: version ${version}`}.`;
}

function scoreText(metrics: Schema<"TrainingJob">["metrics"]): string {
  if (metrics === null || metrics.before === null || metrics.after === null) return "";
  return ` On ${counted(metrics.n, "held-out example")}: ${percent(metrics.before)} before, ${percent(metrics.after)} after.`;
}

async function measured(id: string, tell: Tell): Promise<StepWork> {
  let run = await readRun(id);
  while (run.state === "queued" || run.state === "running") {
    const { done: items, total } = run.progress;
    tell(running(`${items} of ${counted(total, "item")}`, total === 0 ? null : items / total));
    await pause();
    run = await readRun(id);
  }
  if (run.state !== "completed") return failed(run.failure?.detail ?? `The run ${run.state}.`);
  const figures = run.figures.map(({ scorer, score }) => `${scorer} ${score.mean.toFixed(2)}`).join(", ");
  return done(`${counted(run.progress.done, "item")} measured: ${figures}.`);
}

const open = new Set(["queued", "running"]);

async function answered(id: string, tell: Tell): Promise<StepWork> {
  let task = await readTaskNow(id);
  while (open.has(task.status)) {
    tell({ ...running(spoken(task.status)), task: id });
    await pause();
    task = await readTaskNow(id);
  }
  const end = task.status === "completed" ? done("Completed") : failed(task.failure?.detail ?? spoken(task.status));
  return { ...end, task: id };
}
