import {
  createWitnessClient,
  type Sequencer,
  type SequencerLog,
  type Stopped,
  type Witness,
  type WitnessClient,
} from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Meter } from "../kernel/metrics.ts";
import { createOutbound } from "../outbound/index.ts";

export type { Witness } from "../audit-log/index.ts";

export interface WitnessesParts {
  readonly auditWitnesses?: readonly Witness[];
  readonly database: Pick<OpenDatabase, "machinePool">;
  readonly sequencer: Sequencer;
  readonly outboundAllow: readonly string[];
  readonly clock: Clock;
  readonly log: SequencerLog;
  readonly meter: Meter;
  /** Tells of a log whose newest head a witness refuses. */
  readonly stopped: (stop: Stopped) => void;
}

/** How long a witness has for an answer (milliseconds). */
const timeoutMs = 10_000;
/** A few signature lines; what is longer is none of ours. */
const maxResponseBytes = 65_536;
/** The operator names witnesses, users do not: unlike other targets they may be on this machine. */
const loopback = ["127.0.0.0/8", "::1"];

/** Joins the log's witnesses with the way out, and tells of them in metrics. */
export function createWitnesses(parts: WitnessesParts): Pick<WitnessClient, "start" | "stop"> {
  const { auditWitnesses: witnesses = [], database, sequencer, clock, log, meter } = parts;
  const origins = witnesses.map(({ url }) => new URL(url).origin);
  const outbound = createOutbound({
    environment: "production",
    allow: [...parts.outboundAllow, ...origins, ...loopback],
  });
  const requests = meter.counter({
    name: "aos_audit_witness_requests_total",
    help: "Requests for cosignatures on heads of the audit log.",
    labels: ["witness", "outcome"],
  });
  const client = createWitnessClient({
    pool: database.machinePool,
    witnesses,
    send: ({ url, body, signal }) =>
      outbound.send({ method: "POST", url, body, signal, timeoutMs, maxResponseBytes, repeatable: true }),
    sequencer,
    clock,
    log,
    onConflict: (scope, { key }, { detail }) =>
      parts.stopped({ scope, reason: "witness_conflict", detail: `${key.name}: ${detail}` }),
    onOutcome: ({ key }, outcome) => requests.add([key.name, outcome]),
  });
  meter.gauge(
    {
      name: "aos_audit_witness_refuses",
      help: "1 where a witness refuses the newest head of a log: records that were signed are missing or have changed.",
      labels: ["witness", "environment"],
    },
    () =>
      client
        .standings()
        .map(({ witness, scope, conflict }) => [[witness.key.name, scope.environment], conflict === null ? 0 : 1]),
  );
  return {
    start: () => client.start(),
    async stop() {
      await client.stop();
      await outbound.close();
    },
  };
}
