import { tmpdir } from "node:os";
import pino from "pino";
import { afterAll, beforeAll } from "vitest";
import { createSequencer, createSigner } from "../audit-log/index.ts";
import { createBudgets } from "../budgets.ts";
import { FactStore } from "../db/facts.ts";
import { type OpenDatabase, openDatabase } from "../db/open.ts";
import { createReader } from "../db/reader.ts";
import { openSecrets } from "../db/secrets.ts";
import { createJobs, factSets, registry, sweeps } from "../features/index.ts";
import { createRunnerPort, createSweeper } from "../features/tasks/index.ts";
import type { Sweeper } from "../features/tasks/jobs/sweeper.ts";
import { createQueue } from "../jobs/queue.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import type { JobHandlers, RunInside, Sweep } from "../kernel/machines.ts";
import { createMachine } from "../machine.ts";
import { createInside } from "../pipeline/inside.ts";
import { createPipeline } from "../pipeline/run.ts";
import { createPorts } from "../ports.ts";
import { createWorker, newWorkerId, type TaskRunnerPort, type Worker } from "../runtime/index.ts";
import { createSlicePorts } from "../slice-ports.ts";
import type { TestApp } from "./app.ts";

/** A worker process beside a test's service, taken apart: its parts can be driven one by one. It takes no work before a worker is started. */
export interface WorkerProcess {
  readonly port: TaskRunnerPort;
  readonly sweeper: Sweeper;
  /** A sweeper that lets these look after its own look, instead of those of the slices. */
  sweeperWith(sweeps: readonly Sweep[]): Sweeper;
  readonly inside: RunInside;
  readonly database: OpenDatabase;
  /** Faults that were reported. */
  readonly faults: unknown[];
  /** Waits until this process decides by the policies, verdicts and deployments that stand in the database. */
  refresh(): Promise<void>;
  /** A worker that takes jobs until it is stopped; `port` may replace parts of the real one, `jobs` adds handlers. */
  worker(options?: { port?: Partial<TaskRunnerPort>; jobs?: JobHandlers; concurrency?: number; clock?: Clock }): Promise<Worker>;
  close(): Promise<void>;
}

/** A worker process for the whole test file, on the database of its service. */
export function useWorkerProcess(app: TestApp): WorkerProcess {
  let current: WorkerProcess | undefined;
  beforeAll(async () => {
    current = await startWorkerProcess(app.connectionString);
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
  const database = await openDatabase({ databaseUrl: connectionString, dataDir, applicationName: "aos-test-worker", log });
  const secrets = await openSecrets({ pool: database.pool, keySource: { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir } });
  const reader = createReader(database.readPool);
  const facts = new FactStore({ pool: database.pool, reader, sets: factSets, clock, report });
  const signer = createSigner(await secrets.auditSigningKey());
  const sequencer = createSequencer({ pool: database.pool, installation: "test", signer, clock, log });
  const budgets = createBudgets({ database, facts, clock, newId, report });
  const ports = createPorts({ facts, reader, clock, keyUsed: () => undefined, budgets });
  const parts = { database, facts, secrets, sequencer, ports, clock, newId, appUrl: "http://portal.test", report, rateLimit: false };
  const { machine, stop } = await createMachine({ ...parts, organization: "default" });
  const slicePorts = createSlicePorts({ database, installation: "test", signer, sequencer, report });
  const call = createInside(createPipeline(machine, registry(slicePorts)), newId);
  const as =
    (job: string): RunInside =>
    (operation, scope, input) =>
      call(operation, job, scope, input);
  const start = async (): Promise<void> => {
    await facts.start();
    await budgets.start(call);
  };
  const stopMachines = async (): Promise<void> => {
    await budgets.stop();
    await stop();
  };
  const credentialKey = await secrets.credentialKey();
  return { database, facts, newId, slicePorts, credentialKey, start, stop: stopMachines, as };
}

/** Starts one; `close` it before its service. */
export async function startWorkerProcess(connectionString: string): Promise<WorkerProcess> {
  const faults: unknown[] = [];
  const report = (error: unknown): void => void faults.push(error);
  const { database, facts, newId, slicePorts, credentialKey, start, stop, as } = await wireMachines(connectionString, report);
  const port = createRunnerPort({ inside: as("worker"), db: createReader(database.pool), facts, newId, credentialKey });
  const jobs = createJobs({ db: createReader(database.pool), inside: as("worker"), clock, newId, facts }, slicePorts);
  const sweeperWith = (those: readonly Sweep[]): Sweeper =>
    createSweeper({ pool: database.pool, inside: as("sweeper"), clock, facts, sweeps: those, report });
  const workers: Worker[] = [];
  await start();
  return {
    port,
    sweeper: sweeperWith(sweeps),
    sweeperWith,
    inside: as("worker"),
    database,
    faults,
    refresh: () => facts.refresh(),
    async worker(options = {}) {
      const queueLog = { warn: report, error: report };
      const queue = createQueue({ pool: database.pool, log: queueLog, concurrency: options.concurrency ?? 4, pollMs: 500 });
      const log = { warn: report, error: ({ err }: { err: unknown }) => report(err) };
      const whole = { ...port, ...options.port };
      const worker = createWorker({
        queue,
        port: whole,
        jobs: { ...jobs, ...options.jobs },
        clock: options.clock ?? clock,
        log,
        workerId: newWorkerId(),
      });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async close() {
      for (const worker of workers) await worker.stop(0);
      slicePorts.taskEvents.stop();
      await stop();
      await facts.stop();
      await database.close();
    },
  };
}
