import type { FastifyInstance } from "fastify";
import { adoptMovedLogs, ensurePartitions, type Sequencer, type Stopped } from "../audit-log/index.ts";
import type { FactStore } from "../db/facts.ts";
import { type AuditPort, noteLogStopped } from "../features/audit/index.ts";
import { createJobs, registry, signedOperations, signInOperations, sweeps } from "../features/index.ts";
import { startersSweep } from "../features/marketplace/listings/operations/add-starter.ts";
import type { PortalSite } from "../http/portal/site.ts";
import { unmatchedOperations } from "../http/unmatched.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Operation } from "../kernel/operation.ts";
import type { PortReader } from "../kernel/port.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import { createInside, type Inside } from "../pipeline/inside.ts";
import { createPipeline, type Pipeline } from "../pipeline/run.ts";
import { createHttp } from "./http.ts";
import { createMachines, quiet } from "./machines.ts";
import type { AppOptions } from "./options.ts";
import { runAs } from "./run-as.ts";
import { closeParts, stopFeeds } from "./service-parts.ts";
import { createWitnesses } from "./witnesses.ts";
import { createWorkers } from "./workers.ts";

export type { AppOptions } from "./options.ts";

/** A wired service. Nothing of it is global: a process can hold several. */
export interface App {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly inside: Inside;
  readonly newId: NewId;
  readonly facts: FactStore;
  readonly sequencer: Sequencer;
  readonly auditPort: AuditPort;
  readonly port: PortReader["port"];
  /** The public keys of the audit logs of all environments and of the installation as they are now, one a line. */
  logKeys(): Promise<string>;
  /** Registers who is notified that a log has got another name, and so another line among its keys; answers what ends it. */
  onNewLogName(listener: () => void): () => void;
  /** The portal's files; built and read when the first of them is asked for, or `load` is called. */
  readonly portal: PortalSite;
  /** Null in a process that serves no API. */
  readonly server: FastifyInstance | null;
  start(): Promise<void>;
  /** Drains: no new work, running calls and tasks finish or are given back, what waits is written. */
  stop(): Promise<void>;
}

/** Wires everything, in the order in which a call meets it. */
export async function createApp(options: AppOptions): Promise<App> {
  const { database, role, telemetry } = options;
  const machines = await createMachines(options);
  const { newId, facts, auditLog, parts, port } = machines;
  const { operations } = registry;
  const unlisted = [signInOperations, signedOperations].flatMap((group) => Object.values<Operation>(group));
  const pipeline = createPipeline(machines.machine, [...operations, ...unmatchedOperations, ...unlisted]);
  const inside = createInside(pipeline, newId);
  parts.previews.start({ inside: runAs(inside, "worker"), port });
  const given = { ...options, ...machines, ...auditLog };
  const looked = sweeps.filter((sweep) => options.starters === true || sweep !== startersSweep);
  const working = { inside, jobs: createJobs, sweeps: looked, webhooks: parts.webhooks };
  const worker = role === "api" ? null : createWorkers({ ...given, ...working });
  const { server, site } = await createHttp(options, { ...machines, pipeline, inside });
  const stopped = (stop: Stopped): void => void noteKillSwitch(inside, stop).catch(machines.report);
  const witnesses = createWitnesses({ ...given, meter: telemetry.meter, log: quiet(options.log), stopped });
  const { sequencer } = auditLog;
  return {
    operations,
    pipeline,
    inside,
    newId,
    facts,
    sequencer,
    server,
    portal: site,
    auditPort: parts.audit,
    port,
    logKeys: auditLog.keys,
    onNewLogName: auditLog.onNewName,
    async start() {
      await ensurePartitions(database.pool, options.clock);
      await database.asOwner((owner) => adoptMovedLogs(owner, auditLog.trust.mac, options.log));
      await facts.start();
      sequencer.onStopped(stopped);
      sequencer.start();
      await witnesses.start();
      await machines.budgets.start(runAs(inside, "budgets"));
      await worker?.start();
    },
    stop: () => stopAll({ machines, server, worker, running: [witnesses, sequencer, facts] }),
  };
}

interface Running {
  readonly machines: Awaited<ReturnType<typeof createMachines>>;
  readonly server: FastifyInstance | null;
  readonly worker: ReturnType<typeof createWorkers> | null;
  readonly running: readonly { stop(): Promise<void> }[];
}

async function stopAll({ machines, server, worker, running }: Running): Promise<void> {
  machines.housekeeping.stop();
  stopFeeds(machines.parts);
  await server?.close();
  await worker?.stop();
  await closeParts(machines.parts);
  await machines.budgets.stop();
  await machines.stop();
  await machines.chatSignal.stop();
  await machines.housekeeping.flush();
  machines.auditLog.alarm.stop();
  for (const machine of running) await machine.stop();
}

/** Records that a log is no longer signed. The installation's log, of calls that belong to no environment, has no subscribers. */
async function noteKillSwitch(inside: Inside, { scope, reason, detail }: Stopped): Promise<void> {
  if ((environments as readonly string[]).includes(scope.environment))
    await inside(noteLogStopped, "sequencer", scope as Scope, { reason, detail });
}
