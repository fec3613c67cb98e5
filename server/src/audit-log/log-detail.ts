import type { OpenDatabase } from "../db/open.ts";
import { timestamp } from "../kernel/clock.ts";
import type { WriterAlarm } from "./alarm.ts";
import { readStops } from "./stops.ts";

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
