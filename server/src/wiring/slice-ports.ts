import { type AuditPortParts, auditPort } from "../audit-log/audit-port.ts";
import { createExportPort } from "../audit-log/export-port.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { SlicePorts } from "../features/index.ts";
import { createWebhookPort } from "../outbound/webhook-targets.ts";
import { createPolicyPort } from "../pipeline/compliance/policy-port.ts";
import { type ConnectionPortParts, createConnectionPort } from "../runtime/connection-probe.ts";
import { createEvents, createTaskEvents } from "./feeds.ts";

export interface SlicePortParts extends Omit<AuditPortParts, "pool">, ConnectionPortParts {
  readonly signIn: SlicePorts["signIn"];
  readonly database: OpenDatabase;
  readonly report: (error: unknown) => void;
}

/** What slices need of the machines. `taskEvents` and `events` are stopped by whoever made it. */
export function createSlicePorts(parts: SlicePortParts): SlicePorts {
  const { database, installation, signer, origins, sequencer, trust, makeSigner, report } = parts;
  const pool = database.readPool;
  return {
    signIn: parts.signIn,
    audit: auditPort({ pool, installation, signer, sequencer, trust, origins, makeSigner }),
    exports: createExportPort({ pool, installation, signer, origins, trust }),
    policies: createPolicyPort(),
    taskEvents: createTaskEvents({ database, sequencer, report }),
    connections: createConnectionPort(parts),
    webhooks: createWebhookPort(parts),
    events: createEvents({ database, sequencer, report }),
  };
}
