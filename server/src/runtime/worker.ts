import { randomBytes } from "node:crypto";
import type { Queue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { counted } from "../kernel/count.ts";
import type { JobHandlers } from "../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../kernel/principal.ts";
import { createFaultCounts, faultPause, faultText, mostFaults } from "../kernel/service-faults.ts";
import type { Ending } from "./endings.ts";
import { createHoldWatcher } from "./holds.ts";
import { createLeaseKeeper, type LeaseKeeper } from "./leases.ts";
import type { RunProgress } from "./loop.ts";
import type { Failure, Lease, LoopPort, TaskRun, TaskRunnerPort } from "./port.ts";
import { orAborted } from "./signals.ts";
import type { Skills } from "./skills.ts";
import { noRunWatch, type RunWatch } from "./watch.ts";

/** The job by which the tasks slice wakes a worker; its payload is `{organization, environment, task}`. */
export const runTaskJob = "run_task";

export interface WorkerOptions {
  readonly queue: Queue;
  readonly port: TaskRunnerPort;
  readonly skills: Skills;
  /** Handlers of jobs besides running tasks. */
  readonly jobs: JobHandlers;
  readonly clock: Clock;
  readonly log: { warn(message: string): void; error(details: { err: unknown; task?: string }, message: string): void };
  /** Names the process in leases; unique among those that run. */
  readonly workerId: string;
  /** Default: nobody hears of runs. */
  readonly watch?: RunWatch;
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
  /** As spans and metrics name it. */
  readonly code: string;
  constructor(why: Broken["why"]) {
    super(`the run was broken off: ${why}`);
    this.why = why;
    this.code = `broken_off_${why}`;
  }
}

/** After the drain limit the leases are given back; that has this long (milliseconds). */
const giveBackMs = 5_000;

/** Runs queued tasks as jobs wake it. A wake-up that finds nothing to do is no error: the truth is the task's row. */
export function createWorker(options: WorkerOptions): Worker {
  const { queue, port, skills, jobs, clock, log, workerId, watch = noRunWatch } = options;
  const report = (message: string) => (err: unknown) => log.error({ err }, message);
  const keeper = createLeaseKeeper({ port, clock, report: report("leases could not be looked at") });
  const holds = createHoldWatcher({ port, report: report("kill switches could not be looked at") });
  const running = new Set<AbortController>();
  let claims = 0;
  let draining = false;
  let drained = false;

  const wakeUp = async (payload: unknown): Promise<void> => {
    const address = addressOf(payload);
    if (!address) return log.warn("A job without a task was dropped.");
    const { scope, task, priority } = address;
    const lease: Lease = { scope, task, owner: `${workerId}-${++claims}` };
    try {
      if (draining || !(await port.isReady(lease.scope, lease.task, priority))) return;
      const woken = { lease, wokenBy: causeIn(payload), cause: () => port.causeOf(lease) };
      await watch.task(woken, async (claimed) => {
        const since = clock.now();
        const run = await claim(port, lease, claimed);
        return typeof run === "string" ? run : work(lease, run, since);
      });
    } catch (err) {
      log.error({ err, task: lease.task }, "a task could not be run");
      throw err; // the queue wakes a worker again, later each time; a claim that was made lapses, and its task is queued again
    }
  };

  /** Runs a claimed task; answers what it came to, in a word. */
  const work = async (lease: Lease, run: TaskRun, since: number): Promise<string> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.add(controller);
    const release = keeper.hold(lease, since, () => controller.abort(new Broken("lost")));
    const progress: RunProgress = { tool: null, model: null };
    const unwatch = holds.watch(lease, run, progress, () => controller.abort(new Broken("held")));
    const unlimit = limited(keeper, msLeft(run), () => controller.abort(new Broken("time")));
    if (drained) controller.abort(new Broken("drain"));
    try {
      const ending = await orAborted(signal, perform({ skills, port, lease, run, signal, progress }));
      await settle(port, lease, ending);
      return ending.kind;
    } catch (error) {
      return await breakOff(port, { lease, run, progress }, error, log);
    } finally {
      unlimit();
      unwatch();
      release();
      running.delete(controller);
    }
  };

  return {
    start: () => queue.start({ ...watched(jobs, watch), [runTaskJob]: wakeUp }),
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

/** The run that was claimed, or why there is none. */
async function claim(port: TaskRunnerPort, lease: Lease, claimed: (run: TaskRun) => void): Promise<TaskRun | string> {
  const result = await port.start(lease);
  if (!result.claimed) return result.reason;
  claimed(result.run);
  return result.run;
}

/** What is left of the run's time (milliseconds). */
const msLeft = ({ limits, spent }: TaskRun): number => Math.max(0, limits.seconds * 1000 - spent.ms);

/** Calls back once a run has had its time; answers how to end the watch. Time in which the process or its database stood still does not count. */
function limited({ stalledMs }: LeaseKeeper, ms: number, over: () => void): () => void {
  let counted = stalledMs();
  const look = (): void => {
    const stalled = stalledMs() - counted;
    counted += stalled;
    if (stalled > 0) timer = setTimeout(look, stalled);
    else over();
  };
  let timer = setTimeout(look, ms);
  return () => clearTimeout(timer);
}

/** Runs the claimed task's skill. */
function perform({ skills, port, lease, run, signal, progress }: BrokenRun & Performing): Promise<Ending> {
  return skills.perform({ scope: lease.scope, port: bound(port, lease, run), run, signal, progress });
}

interface Performing {
  readonly skills: Skills;
  readonly port: TaskRunnerPort;
  readonly signal: AbortSignal;
}

/** What the loop does outside of itself, as the holder of the lease. */
function bound(port: TaskRunnerPort, lease: Lease, run: TaskRun): LoopPort {
  return {
    holdOf: (using) => port.holdOf(lease, run, using),
    journal: () => port.journal(lease),
    beginModel: (step, demand) => port.beginModel(lease, step, demand),
    callTool: (call) => port.callTool(lease, call),
    endStep: (id, end) => port.endStep(lease, id, end),
    refuseStep: (step, failure) => port.refuseStep(lease, step, failure),
    ask: (step, question) => port.ask(lease, step, question),
    handCalls: (calls) => port.handCalls(lease, calls),
    askOutcome: (step) => port.askOutcome(lease, step),
    askDoubt: (doubt) => port.askDoubt(lease, doubt),
    handOver: (step, call) => port.handOver(lease, step, call),
    // A conversation has its messages.
    ...(!run.chat && { comments: () => port.comments(lease) }),
    ...(run.chat && { tell: (told) => port.tell(lease, told) }),
  };
}

/** Errors of the service in a row, by task. */
const faults = createFaultCounts();

/** Writes how the run ended. Who waits for people has given the lease up, and who has lost it writes nothing that counts. */
async function settle(port: TaskRunnerPort, lease: Lease, ending: Ending): Promise<void> {
  await write(port, lease, ending);
  faults.forget(lease.task);
}

async function write(port: TaskRunnerPort, lease: Lease, ending: Ending): Promise<void> {
  if (ending.kind === "completed") await port.complete(lease, ending.output, ending.features, ending.predictions);
  if (ending.kind === "failed") await port.fail(lease, ending.failure);
  if (ending.kind === "blocked") await port.block(lease, ending.failure);
  if (ending.kind === "given_back") await port.giveBack(lease, ending.seconds);
  if (ending.kind === "held") await endHeld(port, lease, { tool: ending.tool, model: ending.model, aborted: false });
}

/** A stop that was released in this very moment ends nothing: the task runs again. */
async function endHeld(
  port: TaskRunnerPort,
  lease: Lease,
  at: Parameters<TaskRunnerPort["endHeld"]>[1],
): Promise<void> {
  if (!(await port.endHeld(lease, at))) await port.giveBack(lease);
}

interface BrokenRun {
  readonly lease: Lease;
  readonly run: TaskRun;
  readonly progress: RunProgress;
}

async function breakOff(
  port: TaskRunnerPort,
  { lease, run, progress }: BrokenRun,
  error: unknown,
  log: WorkerOptions["log"],
): Promise<string> {
  if (!(error instanceof Broken)) {
    log.error({ err: error, task: lease.task }, "a task met an error of the service and is tried again");
    return giveBack(port, lease, faults.next(lease.task), error);
  }
  if (error.why === "held") await endHeld(port, lease, { ...progress, aborted: true });
  if (error.why === "time") await port.fail(lease, overTime(run));
  if (error.why === "drain") await port.giveBack(lease);
  return error.code;
}

/** The least after which a task is taken up again that an error of the service kept from going on (seconds). */
const leastPause = 5;

/**
 * An error of the service ends no task: another worker takes it up, later each time. Where not even that can be written, its lease lapses. One that does
 * not pass for hours is a fault that people have to hear of: the task fails and says so.
 */
async function giveBack(port: TaskRunnerPort, lease: Lease, before: number, error: unknown): Promise<string> {
  const isHopeless = before >= mostFaults;
  const seconds = Math.max(leastPause, faultPause(before));
  const written = isHopeless ? port.fail(lease, serviceFailed(before, error)) : port.giveBack(lease, seconds);
  const counts = await written.catch(() => null);
  if (counts === null) throw error;
  if (!counts) return "lost";
  return isHopeless ? "failed" : "given_back";
}

const serviceFailed = (times: number, error: unknown): Failure => ({
  code: "service_failed",
  detail: `The service failed ${times + 1} times in a row to carry it out, over hours. ${faultText(error)} Try the task again once that is mended.`,
});

function overTime({ skill, limits }: TaskRun): Failure {
  return {
    code: "time_limit",
    detail: `${skill} did not end within its limit of ${counted(limits.seconds, "second")}.`,
  };
}

function watched(jobs: JobHandlers, watch: RunWatch): JobHandlers {
  return Object.fromEntries(
    Object.entries(jobs).map(([name, handle]) => [
      name,
      (payload: unknown) => watch.job(name, causeIn(payload), () => handle(payload)),
    ]),
  );
}

/** The `traceparent` of the call that enqueued a job. */
function causeIn(payload: unknown): string | null {
  const { trace } = (payload ?? {}) as { trace?: unknown };
  return typeof trace === "string" ? trace : null;
}

function addressOf(payload: unknown): { scope: Scope; task: string; priority: number } | null {
  if (typeof payload !== "object" || payload === null) return null;
  const { organization, environment, task, priority } = payload as Record<string, unknown>;
  if (
    typeof organization !== "string" ||
    typeof task !== "string" ||
    !environments.includes(environment as Environment)
  )
    return null;
  return {
    scope: { organization, environment: environment as Environment },
    task,
    priority: typeof priority === "number" ? priority : 0,
  };
}
