import { type AuditPortParts, auditPort } from "../audit-log/audit-port.ts";
import { createExportPort } from "../audit-log/export-port.ts";
import type { OpenDatabase } from "../db/open.ts";
import { headersOf } from "../features/admin/index.ts";
import { gateFacts } from "../features/evaluations/facts.ts";
import type { SlicePorts } from "../features/index.ts";
import { createSourcePort, type SourcePortParts } from "../outbound/source-port.ts";
import { createWebhookPort } from "../outbound/webhook-port.ts";
import { createPolicyPort } from "../pipeline/compliance/policy-port.ts";
import { type ConnectionPortParts, createConnectionPort } from "../runtime/connection-port.ts";
import { createEvents, createTaskEvents } from "./feeds.ts";
import { joinSlices } from "./join-slices.ts";

export interface SlicePortParts
  extends Omit<AuditPortParts, "pool">,
    Omit<ConnectionPortParts, "headersOf">,
    Pick<SourcePortParts, "knowledgeFolders"> {
  readonly signIn: SlicePorts["signIn"];
  readonly database: OpenDatabase;
  readonly report: (error: unknown) => void;
}

/** What slices need of the machines. `taskEvents` and `events` are stopped by whoever made it. */
export function createSlicePorts(parts: SlicePortParts): SlicePorts {
  const { database, installation, signer, origins, sequencer, trust, makeSigner, report } = parts;
  joinSlices();
  const pool = database.readPool;
  return {
    signIn: parts.signIn,
    audit: auditPort({ pool, installation, signer, sequencer, trust, origins, makeSigner }),
    exports: createExportPort({ pool, installation, signer, origins, trust }),
    policies: createPolicyPort((facts, scope, version) => ({
      known: facts.get(gateFacts).of(scope, version.id),
      override: facts.get(gateFacts).overrideOf(scope, version.agent),
    })),
    taskEvents: createTaskEvents({ database, sequencer, report }),
    connections: createConnectionPort({ ...parts, headersOf }),
    sources: createSourcePort(parts),
    webhooks: createWebhookPort(parts),
    events: createEvents({ database, sequencer, report }),
  };
}
