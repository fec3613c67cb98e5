import type { FastifyInstance } from "fastify";
import { adoptMovedLogs, ensurePartitions, type Sequencer, type Stopped } from "../audit-log/index.ts";
import type { FactStore } from "../db/facts.ts";
import { createSignInPort } from "../features/admin/index.ts";
import { isLiveIn } from "../features/agents/public.ts";
import { type AuditPort, noteLogStopped } from "../features/audit/index.ts";
import { createJobs, createSignedOperations, createSignInOperations, registry, sweeps } from "../features/index.ts";
import type { PortalSite } from "../http/portal/site.ts";
import { signInNames } from "../http/sign-in.ts";
import { unmatchedOperations } from "../http/unmatched.ts";
import type { NewId } from "../kernel/ids.ts";
import type { JobParts } from "../kernel/machines.ts";
import type { Operation } from "../kernel/operation.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import { createInside, type Inside } from "../pipeline/inside.ts";
import { createPipeline, type Pipeline } from "../pipeline/run.ts";
import { createHttp } from "./http.ts";
import { createMachines, quiet } from "./machines.ts";
import type { AppOptions } from "./options.ts";
import { runAs } from "./run-as.ts";
import { createSlicePorts } from "./slice-ports.ts";
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
  /** The public keys of the audit logs of all environments and of the installation as they are now, one a line. */
  logKeys(): Promise<string>;
  /** Registers who is told that a log has got another name, and so another line among its keys; answers what ends it. */
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
  const { newId, facts, auditLog, credentialKey } = machines;
  const servesProduction = () => isLiveIn(facts, "production");
  const signInPort = createSignInPort(credentialKey, options.sendMail);
  const given = { ...options, ...machines, ...auditLog, servesProduction };
  const slicePorts = createSlicePorts({ ...given, signIn: signInPort, tracer: telemetry.tracer });
  const operations = registry(slicePorts);
  const signInOperations = createSignInOperations(slicePorts, signInNames);
  const signedOperations = createSignedOperations(slicePorts);
  const all = [...operations, ...unmatchedOperations, ...Object.values({ ...signInOperations, ...signedOperations })];
  const pipeline = createPipeline(machines.machine, all);
  const inside = createInside(pipeline, newId);
  slicePorts.previews.start(runAs(inside, "worker"));
  const jobs = (parts: JobParts) => createJobs(parts, slicePorts);
  const looked = sweeps.filter(({ name }) => options.starters === true || name !== "marketplace.starters");
  const working = { inside, jobs, sweeps: looked, seals: machines.machine.seals, webhooks: slicePorts.webhooks };
  const worker = role === "api" ? null : createWorkers({ ...given, ...working });
  const serving = { operations, signInOperations, signInPort, ...signedOperations, credentialKey, pipeline, inside };
  const { server, site } = await createHttp(options, { ...machines, ...serving });
  const stopped = (stop: Stopped): void => void noteKillSwitch(inside, stop).catch(machines.report);
  const witnesses = createWitnesses({ ...given, meter: telemetry.meter, log: quiet(options.log), stopped });
  const { sequencer } = auditLog;
  return {
    ...{ operations, pipeline, inside, newId, facts, sequencer, server, portal: site, auditPort: slicePorts.audit },
    ...{ logKeys: auditLog.keys, onNewLogName: auditLog.onNewName },
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
    async stop() {
      machines.housekeeping.stop();
      const { taskEvents, runEvents, chatEvents, events } = slicePorts;
      for (const feed of [taskEvents, runEvents, chatEvents, events]) feed.stop();
      await server?.close();
      await worker?.stop();
      const { previews, channels, bundleScanner } = slicePorts;
      await Promise.all([slicePorts.closeEmbedder(), previews.close(), channels.close(), bundleScanner.close()]);
      await machines.budgets.stop();
      await machines.stop();
      await machines.chatSignal.stop();
      await machines.housekeeping.flush();
      auditLog.alarm.stop();
      for (const machine of [witnesses, sequencer, facts]) await machine.stop();
    },
  };
}

/** Records that a log is no longer signed. The installation's log, of calls that belong to no environment, has no subscribers. */
async function noteKillSwitch(inside: Inside, { scope, reason, detail }: Stopped): Promise<void> {
  if ((environments as readonly string[]).includes(scope.environment))
    await inside(noteLogStopped, "sequencer", scope as Scope, { reason, detail });
}
