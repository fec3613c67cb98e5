import { type AuditPortParts, auditPort } from "./audit-port.ts";
import { type ConnectionPortParts, createConnectionPort } from "./connection-port.ts";
import type { OpenDatabase } from "./db/open.ts";
import { createExportPort } from "./export-port.ts";
import type { SlicePorts } from "./features/index.ts";
import { createPolicyPort } from "./policy-port.ts";
import { createEvents, createTaskEvents } from "./task-events.ts";
import { createWebhookPort } from "./webhook-port.ts";

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
