import { createTrainer } from "@aos/builtin-model";
import type { Logger } from "pino";
import { named } from "../db/named.ts";
import type { OpenDatabase } from "../db/open.ts";
import { createPool } from "../db/pool.ts";
import { createReader } from "../db/reader.ts";
import type { Signal } from "../db/signal.ts";
import { liveVersions } from "../features/agents/public.ts";
import { createSweeper } from "../features/tasks/index.ts";
import { createQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Reader } from "../kernel/db.ts";
import type { FactsReader } from "../kernel/facts.ts";
import type { NewId } from "../kernel/ids.ts";
import type { JobHandlers, JobParts, Sweep } from "../kernel/machines.ts";
import type { PortReader } from "../kernel/port.ts";
import type { Seals } from "../kernel/seals.ts";
import type { Inside } from "../pipeline/inside.ts";
import { createWorker, newWorkerId, type RunWatchParts } from "../runtime/index.ts";
import { createModelWarmer } from "../runtime/warm-models.ts";
import { runAs } from "./run-as.ts";
import { createSkillMachines } from "./skills.ts";

/** Tasks that one process runs at the same time. They wait for groups of writes, for models and, where they need a transaction of their own, for one of a few (`stages.ts`). */
const concurrency = 64;
/** How long running tasks may take to end when the process stops (milliseconds); then their leases are given back. */
const drainMs = 15_000;

const capacityGauge = {
  name: "aos_worker_capacity_tasks",
  labels: [],
  help: "Tasks that this process runs at the same time at most.",
};

export interface TaskWorkerParts extends PortReader {
  readonly database: OpenDatabase;
  readonly inside: Inside;
  readonly facts: FactsReader;
  /** Makes the handlers of what slices do when a job wakes them. */
  readonly jobs: (parts: JobParts) => JobHandlers;
  readonly sweeps: readonly Sweep[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seals: Seals;
  /** Under which what stands behind placeholders is kept, and the secrets of connections. */
  readonly credentialKey: Buffer;
  /** What the operator opened to tools and models besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Bytes of trained models that are kept in memory; 256 MB by default. */
  readonly modelMemory?: number;
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  readonly log: Logger;
  readonly report: (error: unknown) => void;
  readonly telemetry: RunWatchParts;
  /** Raised when a run has written something in a conversation. */
  readonly chatSignal: Pick<Signal, "raise">;
}

export interface TaskWorker {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What a process of role `worker` does: runs tasks, and looks after those that nobody looks after. */
export function createTaskWorker(parts: TaskWorkerParts): TaskWorker {
  const { database, inside, facts, jobs, clock, newId, seals, credentialKey, log, report, telemetry } = parts;
  const { outboundAllow, servesProduction, chatSignal, port } = parts;
  const pool = createPool({ connectionString: database.connectionString, applicationName: "aos-worker", log, max: 12 });
  const as = (job: string) => runAs(inside, job);
  const db: Reader = {
    load: createReader(pool).load,
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(named(text, values))).rows as R[],
  };
  const memory = parts.modelMemory === undefined ? {} : { modelMemory: parts.modelMemory };
  const made = { inside: as("worker"), db, facts, clock, newId, seals, port };
  const { runnerPort, skills, models, runner, watch, close } = createSkillMachines({
    ...made,
    ...memory,
    chatStored: () => chatSignal.raise(),
    credentialKey,
    outboundAllow,
    servesProduction,
    report,
    telemetry,
  });
  telemetry.meter.gauge(capacityGauge, () => [[[], concurrency]]);
  const worker = createWorker({
    queue: createQueue({ pool, log, concurrency }),
    port: runnerPort,
    skills,
    jobs: jobs({ ...made, skills: runner, trainer: createTrainer(), meter: telemetry.meter }),
    clock,
    log,
    workerId: newWorkerId(),
    watch,
  });
  const sweeper = createSweeper({ ...parts, pool: database.machinePool, inside: as("sweeper") });
  const warmer = createModelWarmer({
    liveVersions: () => liveVersions(facts),
    warm: models.warm,
    kept: models.kept,
    report,
  });
  return {
    async start() {
      warmer.start();
      await worker.start();
      sweeper.start();
    },
    async stop() {
      warmer.stop();
      await sweeper.stop();
      await worker.stop(drainMs);
      await close();
      await pool.end();
    },
  };
}
