import { addressIn } from "../../../../jobs/payload.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobParts } from "../../../../kernel/machines.ts";
import type { Counter } from "../../../../kernel/metrics.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { whyStopped } from "../../../admin/public.ts";
import { type AuditPort, type ExportPort, LogAltered, type SinkAccess, SinkFault, type SinkPort } from "../../ports.ts";
import { type BatchLimits, nextRange, type SinkBatch } from "../batch.ts";
import { stopSink } from "../operations/stop-sink.ts";
import { openCredentials, sinkPermission } from "../rules.ts";
import {
  acknowledgeRange,
  claimSink,
  giveBackSink,
  type HeldSink,
  listLags,
  moveToLog,
  noteFailure,
  noteRange,
  openEpoch,
  passRange,
  releaseSink,
  renewSink,
} from "../store.ts";
import type { CredentialsOfKind, S3Target, SinkKind } from "../target-schemas.ts";
import type { StoredSink } from "../view.ts";
import { type Receiver, sendBatch } from "../wire/send.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock" | "meter">;

/** What the job reaches outside of the slice. */
export interface SinkPorts {
  readonly audit: AuditPort;
  readonly exports: ExportPort;
  readonly sinks: SinkPort;
}

export interface SinkJobOptions {
  /** Default: by kind. */
  readonly limits?: BatchLimits;
  /** How often the lease is renewed (milliseconds). */
  readonly renewMs?: number;
  /** After which time other sinks have their turn (milliseconds). */
  readonly turnMs?: number;
}

/** By default, after which time other sinks have their turn (milliseconds): a slow receiver holds a worker for that and one answer more. */
const usualTurnMs = 10_000;
const usual: BatchLimits = { records: 500, characters: 400_000 };
const limitsOf: Partial<Record<SinkKind, BatchLimits>> = { s3: { records: 5_000, characters: 4_000_000 } };

/** The attempt holds the sink no longer, or must not go on with it. */
class Lost extends Error {}

/** Sends what the log has for a sink, batch after batch; the position moves only behind what the receiver acknowledged. */
export function createSinkJob(
  parts: Parts,
  ports: SinkPorts,
  { limits, renewMs = workLease.renewMs, turnMs = usualTurnMs }: SinkJobOptions = {},
): (payload: unknown) => Promise<void> {
  const counts = enterMetrics(parts);
  return async (payload) => {
    const address = addressIn(payload, "sink");
    const sink = address && (await claimSink(parts.db, address));
    if (!sink) return;
    const held: HeldSink = { ...address, attempt: sink.attempt };
    const stop = new AbortController();
    const lease = keepLease(parts.db, held, stop, renewMs);
    const access = ports.sinks.open(held.environment as Environment, sink.target.ca);
    const until = parts.clock.now() + turnMs;
    const work = { parts, ports, held, access, counts, until, signal: stop.signal };
    try {
      await sendAll(work, sink, limits ?? limitsOf[sink.kind] ?? usual);
    } catch (error) {
      clearInterval(lease); // it would renew what is given back
      if (error instanceof Lost) await releaseSink(parts.db, held, 0).catch(() => undefined); // perhaps it is still held, and paused
      if (stop.signal.aborted || error instanceof Lost || isOver(error)) return;
      if (error instanceof SinkFault || error instanceof LogAltered) return await noteFault(work, sink, error);
      await giveBackSink(parts.db, held, error, parts.clock.now()).catch(() => undefined); // without it the lease lapses
      throw error;
    } finally {
      clearInterval(lease);
      await access.close();
    }
  };
}

interface Work {
  readonly parts: Parts;
  readonly ports: SinkPorts;
  readonly held: HeldSink;
  readonly access: SinkAccess;
  readonly counts: Counts;
  /** When other sinks have their turn (milliseconds since 1970). */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Renews the lease however long a receiver takes; once it is lost, nothing more is sent. */
function keepLease(db: Parts["db"], held: HeldSink, stop: AbortController, everyMs: number): NodeJS.Timeout {
  const renew = async (): Promise<void> => {
    if (!(await renewSink(db, held))) stop.abort(new Lost());
  };
  return setInterval(() => void renew().catch(() => undefined), everyMs).unref(); // one that fails is made up for by the next
}

async function sendAll(work: Work, claimed: StoredSink, limits: BatchLimits): Promise<void> {
  const { parts, ports, held, until, signal } = work;
  const { db, inside, clock } = parts;
  let sink = await inOpenLog(work, claimed);
  for (;;) {
    signal.throwIfAborted();
    if (sink.state !== "active" || (await openEpoch({ db, scope: held })) !== sink.epoch) throw new Lost();
    const acting = { actor: sink.actor, agents: null };
    const why = await whyStopped({ scope: held, db, now: clock.now() }, acting, sinkPermission);
    if (why !== null) {
      await inside(stopSink, held, { sink: held.id, attempt: held.attempt });
      return;
    }
    const next = await nextRange({ db, audit: ports.audit, exports: ports.exports }, held, sink, limits);
    if (next === null) return await releaseSink(db, held, 0);
    sink = kept(
      await (next.batch === null
        ? passRange(db, held, { to: next.to, epoch: sink.epoch })
        : sendOne(work, sink, next.batch)),
    );
    if (!next.more) return await releaseSink(db, held, next.batch === null ? 0 : pauseOf(sink));
    if (clock.now() >= until) return await releaseSink(db, held, 0);
  }
}

/** Seconds before the next batch of a sink that has caught up: objects of a bucket are written seldom. */
const pauseOf = ({ kind, target }: StoredSink): number =>
  kind === "s3" ? ((target as S3Target).every_seconds ?? 60) : 0;

/** The sink, on the log that is open. */
async function inOpenLog({ parts: { db }, held }: Work, sink: StoredSink): Promise<StoredSink> {
  const epoch = await openEpoch({ db, scope: held });
  return epoch === sink.epoch ? sink : kept(await moveToLog(db, held, epoch));
}

async function sendOne(work: Work, sink: StoredSink, batch: SinkBatch): Promise<StoredSink | undefined> {
  const { parts, ports, held, access, counts, signal } = work;
  const { head, records } = batch;
  const to = head.last_leaf + 1;
  if (!(await noteRange(parts.db, held, { to, epoch: sink.epoch }))) throw new Lost();
  const receiver = receiverOf(ports.sinks, held, sink, parts.clock.now());
  await sendBatch(access, receiver, batch, { now: parts.clock.now(), epoch: sink.epoch, signal });
  counts.batches.add([sink.kind, held.environment, "acknowledged"]);
  counts.records.add([sink.kind, held.environment], records.length);
  return acknowledgeRange(parts.db, held, { to, records: records.length, checkpoint: head.checkpoint });
}

function receiverOf({ credentialKey }: SinkPort, held: HeldSink, sink: StoredSink, now: number): Receiver {
  const { kind, target, credentials, previous_credentials: former, previous_until: until } = sink;
  const sealed = [credentials, ...(until !== null && until.getTime() > now ? [former] : [])];
  const opened = sealed.flatMap((one) => openCredentials(credentialKey, held, held.id, one) ?? []);
  return { kind, target, credentials: opened as CredentialsOfKind[SinkKind][] } as Receiver;
}

function kept(sink: StoredSink | undefined): StoredSink {
  if (sink === undefined) throw new Lost();
  return sink;
}

/** Notes with the sink that its receiver did not take a batch, or that the log is not intact. */
async function noteFault(
  { parts: { db, clock }, held, counts }: Work,
  { kind }: StoredSink,
  error: SinkFault | LogAltered,
): Promise<void> {
  const fault = error instanceof LogAltered ? new SinkFault("log_altered", error.message) : error;
  counts.batches.add([kind, held.environment, fault.code]);
  await noteFailure(db, held, fault, clock.now());
}

const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

interface Counts {
  readonly batches: Counter;
  readonly records: Counter;
}

function enterMetrics({ db, meter }: Parts): Counts {
  meter.gauge(
    {
      name: "aos_audit_sink_lag_records",
      labels: ["kind", "environment"],
      help: "Records that the sinks that are furthest behind have still to send.",
    },
    async () => (await listLags(db)).map(({ kind, environment, lag }) => [[kind, environment], lag] as const),
  );
  return {
    batches: meter.counter({
      name: "aos_audit_sink_batches_total",
      labels: ["kind", "environment", "outcome"],
      help: "Batches of audit records that were sent to receivers.",
    }),
    records: meter.counter({
      name: "aos_audit_sink_records_total",
      labels: ["kind", "environment"],
      help: "Audit records that receivers acknowledged.",
    }),
  };
}
