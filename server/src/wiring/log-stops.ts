import { readStops, type Stopped, type WriterAlarm } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import { noteLogStopped } from "../features/audit/index.ts";
import { timestamp } from "../kernel/clock.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import type { Inside } from "../pipeline/inside.ts";

// What a log that is not signed tells besides the process's own log: an event, and the body of /readyz.

/** Records the stop and tells subscribers. The installation's log, of calls that belong to no environment, has none. */
export async function tellStop(inside: Inside, { scope, reason, detail }: Stopped): Promise<void> {
  if ((environments as readonly string[]).includes(scope.environment))
    await inside(noteLogStopped, "sequencer", scope as Scope, { reason, detail });
}

/** What is wrong with the audit logs, for `/readyz`. A database that does not answer has its own place there. */
export async function logDetail(
  { machinePool }: Pick<OpenDatabase, "machinePool">,
  alarm: Pick<WriterAlarm, "missing">,
) {
  const stops = await readStops(machinePool).catch(() => []);
  const stopped = stops.map(({ scope, reason, detail, since }) => ({
    ...{ environment: scope.environment, reason, detail, since: timestamp(since.getTime()) },
  }));
  const missing = alarm
    .missing()
    .map(({ scope, records, first }) => ({ environment: scope.environment, records, first }));
  return {
    ...(stopped.length > 0 ? { audit_log_stopped: stopped } : {}),
    ...(missing.length > 0 ? { audit_records_missing: missing } : {}),
  };
}
