import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createTrainer } from "@aos/builtin-model";
import pino from "pino";
import { afterAll, beforeAll } from "vitest";
import { createLogMac, createPins, createSequencer, createSigner } from "../audit-log/index.ts";
import { FactStore } from "../db/facts.ts";
import { type OpenDatabase, openDatabase } from "../db/open.ts";
import { createReader } from "../db/reader.ts";
import { openSecrets } from "../db/secrets.ts";
import { createBudgets } from "../features/governance/budgets/process-budgets.ts";
import { createJobs, factSets, registry, sweeps } from "../features/index.ts";
import { startersSweep } from "../features/marketplace/listings/operations/add-starter.ts";
import { createSweeper } from "../features/tasks/index.ts";
import type { Sweeper } from "../features/tasks/runs/jobs/sweeper.ts";
import { createQueue } from "../jobs/queue.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Reader } from "../kernel/db.ts";
import { createIds } from "../kernel/ids.ts";
import type { JobHandlers, RunInside, Sweep } from "../kernel/machines.ts";
import { noMeter } from "../kernel/metrics.ts";
import { createSeals } from "../kernel/seals.ts";
import type { SkillRunner } from "../kernel/skill-runner.ts";
import { createInside } from "../pipeline/inside.ts";
import { createPipeline } from "../pipeline/run.ts";
import { createWorker, newWorkerId, type TaskRunnerPort, type Worker } from "../runtime/index.ts";
import { joinPorts } from "../wiring/ports.ts";
import { closeParts, createServiceParts, stopFeeds } from "../wiring/service-parts.ts";
import { createSkillMachines } from "../wiring/skills.ts";
import { createStagePort } from "../wiring/stage-port.ts";
import { createStages } from "../wiring/stages.ts";
import type { TestApp } from "./app.ts";
import { lookingUp } from "./models.ts";

/** A worker process beside a test's service, taken apart: its parts can be driven one by one. It takes no work before a worker is started. */
export interface WorkerProcess {
  readonly port: TaskRunnerPort;
  readonly sweeper: Sweeper;
  /** A sweeper that lets these look after its own look, instead of those of the slices. */
  sweeperWith(sweeps: readonly Sweep[]): Sweeper;
  readonly inside: RunInside;
  /** Runs skills outside of tasks, with the model of the latest worker, or the one that `say` names since. */
  readonly skills: SkillRunner;
  say(model: LanguageModelV4): void;
  readonly database: OpenDatabase;
  /** Faults that were reported. */
  readonly faults: unknown[];
  /** Waits until this process decides by the policies, verdicts and deployments that stand in the database. */
  refresh(): Promise<void>;
  /**
   * A worker that takes jobs until it is stopped; `port` may replace parts of the real one, `jobs` adds handlers. `model` takes the place of all models of
   * the whole process; without it one that looks the record up that the input names.
   */
  worker(options?: {
    model?: LanguageModelV4;
    port?: Partial<TaskRunnerPort>;
    jobs?: JobHandlers;
    /** Puts something around every handler besides that of tasks. */
    around?: (jobs: JobHandlers) => JobHandlers;
    concurrency?: number;
    clock?: Clock;
  }): Promise<Worker>;
  /** A worker without a queue: it runs the tasks that it is handed, one call each. `port` may replace parts of the real one. */
  handed(port?: Partial<TaskRunnerPort>): (task: string) => Promise<void>;
  close(): Promise<void>;
}

export interface WorkerProcessOptions {
  /** The built-in model itself, with what versions have learnt, instead of what tests say. */
  readonly trained?: boolean;
  /** Stands between runs and the database. */
  readonly between?: (db: Reader) => Reader;
  /** Stands between handlers of jobs and the calls that they make. */
  readonly betweenCalls?: (inside: RunInside) => RunInside;
}

/** A worker process for the whole test file, on the database of its service. */
export function useWorkerProcess(app: TestApp, options: WorkerProcessOptions = {}): WorkerProcess {
  let current: WorkerProcess | undefined;
  beforeAll(async () => {
    current = await startWorkerProcess(app.connectionString, options);
  });
  afterAll(async () => {
    await current?.close();
  });
  return new Proxy({} as WorkerProcess, { get: (_target, name) => current?.[name as keyof WorkerProcess] });
}

const clock = systemClock;

/** The machines of a worker process, and its calls by the name of the machine that makes them. */
async function wireMachines(connectionString: string, report: (error: unknown) => void) {
  const newId = createIds(clock);
  const log = pino({ level: "silent" });
  const dataDir = tmpdir();
  const database = await openDatabase({
    databaseUrl: connectionString,
    dataDir,
    applicationName: "aos-test-worker",
    log,
  });
  const secrets = await openSecrets({
    pool: database.pool,
    keySource: { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir },
  });
  const reader = createReader(database.readPool);
  const facts = new FactStore({ pool: database.pool, reader, sets: factSets, clock, report });
  const signer = createSigner(await secrets.auditSigningKey());
  const mac = createLogMac(secrets.auditMacKey());
  const pins = createPins(path.join(dataDir, "audit"));
  const sequencer = createSequencer({ pool: database.pool, installation: "test", signer, mac, pins, clock, log });
  const budgets = createBudgets({ database, facts, clock, newId, report });
  const credentialKey = await secrets.credentialKey();
  const seals = createSeals(secrets.sealKey());
  const made = createServiceParts({
    facts,
    newId,
    seals,
    reader,
    sendMail: null,
    database,
    installation: "test",
    signer,
    sequencer,
    trust: { installation: "test", signer, mac, pins, warn: () => undefined },
    origins: () => undefined,
    makeSigner: async () => signer,
    credentialKey,
    clock,
    report,
    outboundAllow: [],
  });
  const unheard = { keyUsed: () => undefined, sessionUsed: () => undefined };
  const port = joinPorts(made, createStagePort({ facts, reader, clock, budgets, ...unheard }));
  const parts = {
    database,
    facts,
    secrets,
    sequencer,
    mac,
    seals,
    port,
    clock,
    newId,
    appUrl: "http://portal.test",
    report,
    rateLimit: false,
  };
  const { machine, stop } = await createStages({ ...parts, organization: "default" });
  const call = createInside(createPipeline(machine, registry.operations), newId);
  const as =
    (job: string): RunInside =>
    (operation, scope, input) =>
      call(operation, job, scope, input);
  const start = async (): Promise<void> => {
    await facts.start();
    await budgets.start(as("budgets"));
  };
  const stopMachines = async (): Promise<void> => {
    await budgets.stop();
    await stop();
  };
  return { database, facts, newId, seals, port, made, credentialKey, start, stop: stopMachines, as };
}

/** One model for a process, which says what the latest worker's is to say. */
function changeableModel() {
  let model: LanguageModelV4 = lookingUp();
  const said: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    doStream: (options) => model.doStream(options),
    doGenerate: (options) => model.doGenerate(options),
  };
  const say = (next: LanguageModelV4): void => {
    model = next;
  };
  return { said, say };
}

/** A queue that holds nothing: its jobs are handed to it. What a test does not wait for ends before the queue does, unless it is to hang, and its faults are the worker's to report. */
function createHandedQueue() {
  let handlers: JobHandlers = {};
  const open = new Set<Promise<unknown>>();
  return {
    async start(those: JobHandlers): Promise<void> {
      handlers = those;
    },
    async stop(): Promise<void> {
      await Promise.race([Promise.all(open), delay(1_000, undefined, { ref: false })]);
    },
    hand(name: string, payload: unknown): Promise<void> {
      const job = Promise.resolve(handlers[name]?.(payload));
      const ended = job.catch(() => undefined).finally(() => open.delete(ended));
      open.add(ended);
      return job;
    },
  };
}

/** What runs skills: with the model that a test says. */
function wireSkills(
  { database, facts, newId, seals, port, credentialKey, as }: Wired,
  report: (error: unknown) => void,
  { trained = false, between = (db) => db, betweenCalls = (inside) => inside }: WorkerProcessOptions,
) {
  const { said, say } = changeableModel();
  const parts = { inside: as("worker"), db: between(createReader(database.pool)), facts, clock, newId, seals, port };
  const models = { ...(trained ? {} : { builtin: () => said }), provided: () => said };
  const machines = createSkillMachines({ ...parts, ...models, credentialKey, outboundAllow: [], report });
  const given = { ...parts, inside: betweenCalls(parts.inside) };
  const jobs = createJobs({ ...given, skills: machines.runner, trainer: createTrainer(), meter: noMeter });
  return { machines, jobs, say };
}
type Wired = Awaited<ReturnType<typeof wireMachines>>;

/** Starts one; `close` it before its service. */
export async function startWorkerProcess(
  connectionString: string,
  options: WorkerProcessOptions = {},
): Promise<WorkerProcess> {
  const faults: unknown[] = [];
  const report = (error: unknown): void => void faults.push(error);
  const wired = await wireMachines(connectionString, report);
  const { database, facts, port: servicePort, made, start, stop, as } = wired;
  const { machines, jobs, say } = wireSkills(wired, report, options);
  const { runnerPort: port, skills } = machines;
  const sweeperWith = (those: readonly Sweep[]): Sweeper =>
    createSweeper({
      pool: database.pool,
      inside: as("sweeper"),
      clock,
      facts,
      port: servicePort,
      sweeps: those,
      report,
    });
  const workers: Worker[] = [];
  const workerParts = { skills, log: { warn: report, error: ({ err }: { err: unknown }) => report(err) } };
  await start();
  return {
    port,
    // Starters are scanned, a second each: their own test has them added.
    sweeper: sweeperWith(sweeps.filter((sweep) => sweep !== startersSweep)),
    sweeperWith,
    inside: as("worker"),
    skills: machines.runner,
    say,
    database,
    faults,
    refresh: () => facts.refresh(),
    async worker(options = {}) {
      const queueLog = { warn: report, error: report };
      const queue = createQueue({
        pool: database.pool,
        log: queueLog,
        concurrency: options.concurrency ?? 4,
        pollMs: 500,
      });
      const whole = { ...port, ...options.port };
      say(options.model ?? lookingUp());
      const worker = createWorker({
        ...workerParts,
        queue,
        port: whole,
        jobs: (options.around ?? ((all) => all))({ ...jobs, ...options.jobs }),
        clock: options.clock ?? clock,
        workerId: newWorkerId(),
      });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    handed(parts = {}) {
      const queue = createHandedQueue();
      const worker = createWorker({
        ...workerParts,
        queue,
        port: { ...port, ...parts },
        jobs: {},
        clock,
        workerId: newWorkerId(),
      });
      workers.push(worker);
      void worker.start();
      return (task) => queue.hand("run_task", { organization: "default", environment: "development", task });
    },
    async close() {
      for (const worker of workers) await worker.stop(0);
      stopFeeds(made);
      await closeParts(made);
      await stop();
      await facts.stop();
      await machines.close();
      await database.close();
    },
  };
}
