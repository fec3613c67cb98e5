import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import {
  adoptMovedLogs,
  ensurePartitions,
  type Sequencer,
  type SequencerLog,
  type Stopped,
} from "./audit-log/index.ts";
import { createWitnesses, type Witness } from "./audit-witnesses.ts";
import { createBudgets } from "./budgets.ts";
import { createCallWatch } from "./call-watch.ts";
import { allowsPasskeys } from "./config-sign-in.ts";
import { enterDatabaseGauges } from "./database-gauges.ts";
import { FactStore } from "./db/facts.ts";
import type { OpenDatabase } from "./db/open.ts";
import { createReader } from "./db/reader.ts";
import { type KeySource, openSecrets } from "./db/secrets.ts";
import { sealEarlierResults } from "./earlier-results.ts";
import { KeyUse, SessionUse } from "./features/admin/index.ts";
import { isLiveIn } from "./features/agents/public.ts";
import type { AuditPort } from "./features/audit/index.ts";
import {
  createJobs,
  createProofs,
  createSignInOperations,
  factSets,
  registry,
  type SlicePorts,
  sweeps,
} from "./features/index.ts";
import { createPortal } from "./http/portal/index.ts";
import { PortalSite } from "./http/portal/site.ts";
import { routePublic } from "./http/public.ts";
import { createServer, type SignInParts } from "./http/server.ts";
import { unmatchedOperations } from "./http/unmatched.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Reader } from "./kernel/db.ts";
import type { IdentityProvider, SendMail } from "./kernel/identity.ts";
import { createIds, type NewId } from "./kernel/ids.ts";
import type { JobHandlers, JobParts } from "./kernel/machines.ts";
import type { Operation } from "./kernel/operation.ts";
import { createLogMachine } from "./log-machine.ts";
import { logDetail, tellStop } from "./log-stops.ts";
import { createMachine, defaultOrganization } from "./machine.ts";
import { createInside, type Inside } from "./pipeline/inside.ts";
import { createPipeline, type Pipeline } from "./pipeline/run.ts";
import { createPorts } from "./ports.ts";
import { reporter } from "./report.ts";
import { createSignInPort } from "./sign-in-port.ts";
import { createSlicePorts } from "./slice-ports.ts";
import { type MetricsAccess, serveMetrics, type Telemetry } from "./telemetry/index.ts";
import { createWorkers } from "./workers.ts";

export interface AppOptions {
  readonly database: OpenDatabase;
  readonly keySource: KeySource;
  readonly installation: string;
  readonly appUrl: string;
  readonly role: "all" | "api" | "worker";
  /** The portal's files; unless told those of this repository. */
  readonly portal?: PortalSite;
  readonly rateLimit: boolean;
  /** Calls of one caller in flight, where the rate is limited; default: 64. */
  readonly inFlight?: number;
  /** How long a request may take to arrive (milliseconds); default: 30 seconds. */
  readonly requestPatience?: number;
  readonly trustProxy: readonly string[];
  /** What the operator opened to tools and models besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Bytes of trained built-in models that are kept in memory; 256 MB unless told. */
  readonly modelMemory?: number;
  /** Whom to ask for cosignatures on the heads of the audit log; nobody unless told. */
  readonly auditWitnesses?: readonly Witness[];
  /** Whether OpenID Connect or invitations with passkeys are set up, so that people can sign in personally. */
  readonly personalSignIn: boolean;
  /** The OpenID Connect provider; null: none. */
  readonly provider: IdentityProvider | null;
  /** Sends e-mail; null: no mail server is configured. */
  readonly sendMail: SendMail | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the process tells of itself; it is stopped by whoever made it. */
  readonly telemetry: Pick<Telemetry, "tracer" | "meter" | "contents" | "expose">;
  /** Who may read metrics at the address of the API; null: nobody. */
  readonly metrics: MetricsAccess | null;
  /** Whether machines that would hold up calls run in threads of their own. A test that stops the clock keeps them in its thread. */
  readonly ownThreads: boolean;
}

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

/** Which process sequences which log is of interest only when something is wrong. */
const quiet = (log: Logger): SequencerLog => ({
  info: (message) => log.debug(message),
  warn: (message) => log.warn(message),
  error: (message) => log.error(message),
});

/** The machines behind the pipeline: facts, the log with its sequencer, and what joins them to the stages. */
async function wireMachines(options: AppOptions) {
  const { database, clock, log, appUrl, personalSignIn, rateLimit, installation } = options;
  const { tracer, meter } = options.telemetry;
  const watch = createCallWatch({ tracer, meter, log });
  enterDatabaseGauges({ database, clock, meter });
  const report = reporter(log);
  const newId = createIds(clock);
  const secrets = await openSecrets({ pool: database.pool, keySource: options.keySource });
  const reader = createReader(database.readPool);
  const facts = new FactStore({ pool: database.machinePool, reader, sets: factSets, clock, report });
  const credentialKey = await secrets.credentialKey();
  const { keySource, ownThreads } = options;
  const logMachine = await createLogMachine({
    database,
    secrets,
    keySource,
    installation,
    clock,
    log: quiet(log),
    meter,
    ownThreads,
  });
  const { sequencer, alarm, trust } = logMachine;
  const keyUse = new KeyUse();
  const sessionUse = new SessionUse(() => void sessionUse.flush(database.machinePool).catch(report));
  const budgets = createBudgets({ database, facts, clock, newId, report });
  const keyUsed: KeyUse["record"] = (...use) => keyUse.record(...use);
  const sessionUsed: SessionUse["record"] = (...use) => sessionUse.record(...use);
  const ports = createPorts({ facts, reader, clock, keyUsed, sessionUsed, budgets });
  const organization = defaultOrganization;
  const told = { report, watch, meter };
  const logged = { sequencer, mac: trust.mac, acknowledged: alarm.acknowledged };
  const parts = {
    ...{
      budgets,
      database,
      facts,
      secrets,
      ...logged,
      ports,
      clock,
      newId,
      appUrl,
      personalSignIn,
      rateLimit,
      organization,
      ...told,
    },
  };
  const made = await createMachine({
    ...parts,
    ...(options.inFlight === undefined ? {} : { inFlight: options.inFlight }),
  });
  await sealEarlierResults(database, made.machine.seals, log);
  return { ...parts, ...made, reader, logMachine, credentialKey, uses: [keyUse, sessionUse] };
}

/** Wires everything, in the order in which a call meets it. */
export async function createApp(options: AppOptions): Promise<App> {
  const { database, clock, log, appUrl, role, installation, trustProxy, outboundAllow, telemetry, metrics } = options;
  const machines = await wireMachines(options);
  const {
    machine,
    stop: stopMachine,
    facts,
    budgets,
    sequencer,
    logMachine,
    newId,
    credentialKey,
    uses,
    report,
  } = machines;
  const { signer, trust, alarm, origins, makeSigner } = logMachine;
  const signInPort = createSignInPort(credentialKey, options.sendMail);
  const logs = { database, installation, signer, sequencer, trust, origins, makeSigner, credentialKey };
  const ways = { outboundAllow, servesProduction: () => isLiveIn(facts, "production") };
  const slicePorts = createSlicePorts({
    ...logs,
    ...ways,
    signIn: signInPort,
    clock,
    report,
    tracer: telemetry.tracer,
  });
  const operations = registry(slicePorts);
  const signInOperations = createSignInOperations<keyof SignInParts["operations"]>(slicePorts);
  const pipeline = createPipeline(machine, [...operations, ...unmatchedOperations, ...Object.values(signInOperations)]);
  const inside = createInside(pipeline, newId);
  const jobs = (given: JobParts): JobHandlers => createJobs(given, slicePorts);
  const parts = {
    database,
    inside,
    facts,
    jobs,
    sweeps,
    clock,
    newId,
    credentialKey,
    ...ways,
    sequencer,
    log,
    report,
    telemetry,
  };
  const memory = options.modelMemory === undefined ? {} : { modelMemory: options.modelMemory };
  const worker =
    role === "api" ? null : createWorkers({ ...parts, ...memory, seals: machine.seals, webhooks: slicePorts.webhooks });
  const { portal: site = new PortalSite() } = options;
  const portal = createPortal(site, report);
  const signIn = wireSignIn(options, {
    reader: machines.reader,
    inside,
    port: signInPort,
    operations: signInOperations,
  });
  const serving = { signIn, portal, pipeline, newId, appUrl, trustProxy, report, tracer: telemetry.tracer };
  const server = role === "worker" ? null : createServer({ operations, ...serving, ...patienceOf(options) });
  const answerMetrics = metrics && ((authorization?: string) => serveMetrics(metrics, authorization, telemetry.expose));
  const told = { ready: () => facts.fresh(), logs: () => logDetail(database, alarm), metrics: answerMetrics };
  if (server) await routePublic(server, { operations, appUrl, portal, ...told });
  const stopped = (stop: Stopped): void => void tellStop(inside, stop).catch(report);
  const witnesses = createWitnesses({ ...options, sequencer, meter: telemetry.meter, log: quiet(log), stopped });
  const timers = housekeeping({ database, clock, uses, report });
  return {
    ...{ operations, pipeline, inside, newId, facts, sequencer, server, portal: site, auditPort: slicePorts.audit },
    ...{ logKeys: logMachine.keys, onNewLogName: logMachine.onNewName },
    async start() {
      await ensurePartitions(database.pool, clock);
      await database.asOwner((owner) => adoptMovedLogs(owner, trust.mac, log));
      await facts.start();
      sequencer.onStopped(stopped);
      sequencer.start();
      await witnesses.start();
      await budgets.start(inside);
      await worker?.start();
    },
    async stop() {
      timers.stop();
      for (const feed of [slicePorts.taskEvents, slicePorts.events]) feed.stop();
      await server?.close();
      await worker?.stop();
      await budgets.stop();
      await stopMachine();
      for (const use of uses) await use.flush(database.machinePool);
      alarm.stop();
      for (const machine of [witnesses, sequencer, facts]) await machine.stop();
    },
  };
}

const patienceOf = ({ requestPatience }: AppOptions) => (requestPatience === undefined ? {} : { requestPatience });

/** What HTTP needs of the sign-in. */
function wireSignIn(
  { appUrl, clock, provider, personalSignIn }: AppOptions,
  {
    reader,
    inside,
    port,
    operations,
  }: { reader: Reader; inside: Inside; port: SlicePorts["signIn"]; operations: SignInParts["operations"] },
): SignInParts {
  const proofs = createProofs({
    ...{ reader, organization: defaultOrganization, appUrl, clock, port },
    inside: (operation, scope, input) => inside(operation, "sign-in", scope, input),
  });
  return { operations, proofs, provider, passkeys: personalSignIn && allowsPasskeys(appUrl) };
}

/** What the machines do by the clock: next month's partitions, and the use of keys and sessions, written behind. */
function housekeeping({
  database,
  clock,
  uses,
  report,
}: {
  database: OpenDatabase;
  clock: Clock;
  uses: readonly (KeyUse | SessionUse)[];
  report: (error: unknown) => void;
}) {
  const every = (ms: number, work: () => Promise<unknown>): NodeJS.Timeout =>
    setInterval(() => void work().catch(report), ms).unref();
  const timers = [
    ...uses.map((use) => every(60_000, () => use.flush(database.machinePool))),
    every(6 * 3_600_000, () => ensurePartitions(database.pool, clock)),
  ];
  return { stop: () => timers.forEach(clearInterval) };
}
