import type { OpenDatabase } from "../db/open.ts";
import { timestamp } from "../kernel/clock.ts";
import type { WriterAlarm } from "./alarm.ts";
import { scopeKey } from "./scope.ts";
import { readStops } from "./stops.ts";

/**
 * How the audit logs stand, for `/readyz`: those whose signing stopped, those that are behind, which passes, and acknowledged records that are missing, which
 * does not. A database that does not answer has its own place there.
 */
export async function logDetail(
  { machinePool }: Pick<OpenDatabase, "machinePool">,
  alarm: Pick<WriterAlarm, "behind" | "missing">,
) {
  const stops = await readStops(machinePool).catch(() => []);
  const stopped = stops.map(({ scope, reason, detail, since }) => ({
    environment: scope.environment,
    reason,
    detail,
    since: timestamp(since.getTime()),
  }));
  const silent = new Set(stops.map(({ scope }) => scopeKey(scope)));
  const behind = alarm
    .behind()
    .filter(({ scope }) => !silent.has(scopeKey(scope)))
    .map(({ scope, records, seconds }) => ({ environment: scope.environment, records, seconds }));
  const missing = alarm
    .missing()
    .map(({ scope, count, records }) => ({ environment: scope.environment, count, records }));
  return {
    ...(stopped.length > 0 ? { audit_log_stopped: stopped } : {}),
    ...(behind.length > 0 ? { audit_log_behind: behind } : {}),
    ...(missing.length > 0 ? { audit_records_missing: missing } : {}),
  };
}
