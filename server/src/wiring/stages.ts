import { createCommitFigures } from "../audit-log/commit-figures.ts";
import { createCommitter, type Pipelined } from "../audit-log/committer.ts";
import { formerKeysUntil } from "../audit-log/former-keys.ts";
import { createRecordWriter, createSalts, type LogMac, type RecordWriter, type Sequencer } from "../audit-log/index.ts";
import { createRecorder } from "../audit-log/recorder.ts";
import { seatedByKind } from "../audit-log/seats.ts";
import { beginTransaction } from "../audit-log/transaction.ts";
import type { FactStore } from "../db/facts.ts";
import type { OpenDatabase } from "../db/open.ts";
import { createReader } from "../db/reader.ts";
import type { Secrets } from "../db/secrets.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NewId } from "../kernel/ids.ts";
import { type Meter, noMeter } from "../kernel/metrics.ts";
import type { PortReader } from "../kernel/port.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Seals } from "../kernel/seals.ts";
import { cursorsOf } from "../pipeline/cursors.ts";
import { createInFlight, unboundedInFlight } from "../pipeline/limits/in-flight.ts";
import { createOpenStreams } from "../pipeline/limits/open-streams.ts";
import { createRateLimit } from "../pipeline/limits.ts";
import type { Machine } from "../pipeline/ports.ts";

export interface MachineParts extends PortReader {
  readonly seals: Seals;
  readonly database: OpenDatabase;
  readonly facts: FactStore;
  readonly secrets: Secrets;
  readonly sequencer: Sequencer;
  readonly mac: LogMac;
  /** Hears of every durable record; default: nobody does. */
  readonly acknowledged?: RecordWriter["acknowledged"];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly appUrl: string;
  /** Default: nobody can sign in personally. */
  readonly personalSignIn?: boolean;
  readonly rateLimit: boolean;
  /** Calls of one caller in flight, where the rate is limited; default: 64. */
  readonly inFlight?: number;
  readonly organization: string;
  readonly report: Machine["report"];
  /** Default: nobody hears of calls, nobody reads the figures. */
  readonly watch?: Machine["watch"];
  readonly meter?: Meter;
}

/** Calls under a guard have a connection of their own, beside dispatches and records of reads: what runs do and what comes in do not wait for each other. */
const guardedPipelined: Pipelined = { statements: 2, calls: 16 };

/** Transactions of one operation inside at a time: tasks that a process runs are many more than its connections, of which a stop must find one that is free. */
const insideTransactions = 8;

/** Puts the machines behind the pipeline's stages together. `stop` writes what still waits. */
export async function createStages(parts: MachineParts): Promise<{ machine: Machine; stop: () => Promise<void> }> {
  const { database, secrets, sequencer, clock, meter = noMeter } = parts;
  const cursorKey = await secrets.cursorKey();
  const committed = (): void => sequencer.wake();
  const figures = createCommitFigures(meter);
  const committerOn = (name: string, group: "calls" | "runs", pipelined?: Pipelined) =>
    createCommitter({
      connection: { connectionString: database.connectionString, application_name: name, options: "-c timezone=UTC" },
      writer: createRecordWriter(parts.mac, parts.acknowledged),
      committed,
      measure: figures(group),
      report: (error) => parts.report(error, "", name),
      ...(pipelined ? { pipelined, uniform: true } : {}),
    });
  const committer = committerOn("aos-committer", "calls");
  const guarded = committerOn("aos-guarded", "runs", guardedPipelined);
  const salts = createSalts(database.machinePool, { clock });
  const transactions = { pool: database.pool, committed, writer: createRecordWriter(parts.mac, parts.acknowledged) };
  const begin = (scope: Scope) => beginTransaction(transactions, scope);
  const seats = seatedByKind(insideTransactions);
  const machine: Machine = {
    clock,
    formerKeysUntil: await formerKeysUntil(createReader(database.machinePool), clock.now()),
    newId: parts.newId,
    appUrl: parts.appUrl,
    personalSignIn: parts.personalSignIn ?? false,
    facts: parts.facts,
    port: parts.port,
    rateLimit: createRateLimit(parts.rateLimit ? "on" : "off"),
    inFlight: parts.rateLimit ? createInFlight(parts.inFlight) : unboundedInFlight,
    streams: createOpenStreams(),
    reader: createReader(database.readPool),
    seals: parts.seals,
    cursors: (operation, scope) => cursorsOf(cursorKey, operation, scope),
    begin: (scope, { door, id }) => (door === "http" ? begin(scope) : seats(id, () => begin(scope))),
    recorder: {
      prepare: createRecorder(salts, parts.organization),
      append: (rows) => (rows.guard ? guarded : committer).append(rows),
    },
    report: parts.report,
    watch: parts.watch ?? null,
  };
  const stop = async (): Promise<void> => void (await Promise.all([committer.stop(), guarded.stop()]));
  return { machine, stop };
}
