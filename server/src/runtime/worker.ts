import { randomBytes } from "node:crypto";
import type { Queue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import type { JobHandlers } from "../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../kernel/principal.ts";
import { createHoldWatcher } from "./holds.ts";
import { createLeaseKeeper } from "./leases.ts";
import type { Failure, Lease, TaskRun, TaskRunnerPort } from "./port.ts";
import { type Ending, orAborted, type RunProgress, runTask } from "./run-task.ts";

/** The job by which the tasks slice wakes a worker; its payload is `{organization, environment, task}`. */
export const runTaskJob = "run_task";

export interface WorkerOptions {
  readonly queue: Queue;
  readonly port: TaskRunnerPort;
  /** Handlers of jobs besides running tasks. */
  readonly jobs: JobHandlers;
  readonly clock: Clock;
  readonly log: { warn(message: string): void; error(details: { err: unknown; task?: string }, message: string): void };
  /** Names the process in leases; unique among those that run. */
  readonly workerId: string;
}

export interface Worker {
  start(): Promise<void>;
  /** Takes no new work, lets running tasks end for at most `drainMs`, then gives their leases back. */
  stop(drainMs: number): Promise<void>;
}

/** A worker's name in leases: the process and a random part. */
export function newWorkerId(): string {
  return `${process.pid}-${randomBytes(6).toString("hex")}`;
}

/** Why a run is broken off. */
class Broken extends Error {
  readonly why: "lost" | "time" | "drain" | "held";
  constructor(why: Broken["why"]) {
    super(`the run was broken off: ${why}`);
    this.why = why;
  }
}

/** After the drain limit the leases are given back; that has this long (milliseconds). */
const giveBackMs = 5_000;

/** Runs queued tasks as jobs wake it. A wake-up that finds nothing to do is no error: the truth is the task's row. */
export function createWorker({ queue, port, jobs, clock, log, workerId }: WorkerOptions): Worker {
  const keeper = createLeaseKeeper({ port, clock, report: (err) => log.error({ err }, "leases could not be looked at") });
  const holds = createHoldWatcher({ port, report: (err) => log.error({ err }, "stops could not be looked at") });
  const running = new Set<AbortController>();
  let claims = 0;
  let draining = false;
  let drained = false;

  const wakeUp = async (payload: unknown): Promise<void> => {
    const address = addressOf(payload);
    if (!address) return log.warn("A job without a task was dropped.");
    const { priority, ...named } = address;
    const lease: Lease = { ...named, owner: `${workerId}-${++claims}` };
    try {
      if (draining || !(await port.isReady(lease.scope, lease.task, priority))) return;
      const since = clock.now();
      const claim = await port.start(lease);
      if (claim.claimed) await work(lease, claim.run, since);
    } catch (err) {
      log.error({ err, task: lease.task }, "a task could not be run");
      // A fault of ours. The queue wakes a worker again, later each time; a claim that was made lapses, and its task is queued again.
      throw err;
    }
  };

  const work = async (lease: Lease, run: TaskRun, since: number): Promise<void> => {
    const controller = new AbortController();
    running.add(controller);
    const release = keeper.hold(lease, since, () => controller.abort(new Broken("lost")));
    const progress: RunProgress = { tool: null };
    const unwatch = holds.watch(lease, run, progress, () => controller.abort(new Broken("held")));
    const limit = setTimeout(() => controller.abort(new Broken("time")), run.limits.seconds * 1000);
    if (drained) controller.abort(new Broken("drain"));
    try {
      await settle(port, lease, await orAborted(controller.signal, runTask({ port, lease, run, signal: controller.signal, progress })));
    } catch (error) {
      await breakOff(port, { lease, run, progress }, error);
    } finally {
      clearTimeout(limit);
      unwatch();
      release();
      running.delete(controller);
    }
  };

  return {
    start: () => queue.start({ ...jobs, [runTaskJob]: wakeUp }),
    async stop(drainMs) {
      draining = true;
      const limit = setTimeout(() => {
        drained = true;
        for (const controller of running) controller.abort(new Broken("drain"));
      }, drainMs);
      await queue.stop(drainMs + giveBackMs);
      clearTimeout(limit);
      keeper.stop();
    },
  };
}

async function settle(port: TaskRunnerPort, lease: Lease, ending: Ending): Promise<void> {
  if (ending.kind === "completed") await port.complete(lease, ending.output);
  if (ending.kind === "failed") await port.fail(lease, ending.failure);
  if (ending.kind === "blocked") await port.block(lease, ending.failure);
  if (ending.kind === "given_back") await port.giveBack(lease);
  if (ending.kind === "held") await endHeld(port, lease, { tool: ending.tool, aborted: false });
}

/** A stop that was released in this very moment ends nothing: the task runs anew. */
async function endHeld(port: TaskRunnerPort, lease: Lease, at: Parameters<TaskRunnerPort["endHeld"]>[1]): Promise<void> {
  if (!(await port.endHeld(lease, at))) await port.giveBack(lease);
}

interface BrokenRun {
  readonly lease: Lease;
  readonly run: TaskRun;
  readonly progress: RunProgress;
}

async function breakOff(port: TaskRunnerPort, { lease, run, progress }: BrokenRun, error: unknown): Promise<void> {
  if (!(error instanceof Broken)) throw error;
  if (error.why === "held") await endHeld(port, lease, { tool: progress.tool, aborted: true });
  if (error.why === "time") await port.fail(lease, overTime(run));
  if (error.why === "drain") await port.giveBack(lease);
}

function overTime({ skill, limits }: TaskRun): Failure {
  return { code: "time_limit", detail: `${skill} did not end within its limit of ${limits.seconds} seconds.` };
}

function addressOf(payload: unknown): { scope: Scope; task: string; priority: number } | null {
  if (typeof payload !== "object" || payload === null) return null;
  const { organization, environment, task, priority } = payload as Record<string, unknown>;
  if (typeof organization !== "string" || typeof task !== "string" || !environments.includes(environment as Environment)) return null;
  return { scope: { organization, environment: environment as Environment }, task, priority: typeof priority === "number" ? priority : 0 };
}
