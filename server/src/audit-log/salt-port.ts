import type { SaltPort } from "../features/audit/ports.ts";
import type { LogMac } from "./mac.ts";
import { isOurs } from "./record-rows.ts";
import { belongsTo, hasFingerprint } from "./salts.ts";

/** Without a MAC rows are taken at their word. */
export function createSaltPort(mac?: Pick<LogMac, "record">): SaltPort {
  const wrote: SaltPort["wrote"] = (log, record) => mac === undefined || isOurs(log, record, mac);
  return {
    wrote,
    saltState(log, record) {
      if (!wrote(log, record)) return record.closed ? "unknown" : "exchanged";
      const { salt_id: id, salt } = record;
      if (id === null || !hasFingerprint(id)) return "unknown";
      if (salt === null) return "missing";
      return belongsTo(id, salt.toString("hex")) ? "kept" : "exchanged";
    },
  };
}
