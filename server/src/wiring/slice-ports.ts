import { type AuditPortParts, auditPort } from "../audit-log/audit-port.ts";
import { createExportPort } from "../audit-log/export-port.ts";
import type { OpenDatabase } from "../db/open.ts";
import { createReader } from "../db/reader.ts";
import type { Signal } from "../db/signal.ts";
import { headersOf } from "../features/admin/index.ts";
import { findConnection } from "../features/admin/public.ts";
import { gateFacts } from "../features/evaluations/facts.ts";
import type { SlicePorts } from "../features/index.ts";
import { intakePorts } from "../features/marketplace/intake.ts";
import { createBundleScanner } from "../features/marketplace/scanner.ts";
import type { Reader } from "../kernel/db.ts";
import { embedder } from "../kernel/embedder.ts";
import type { FactsReader } from "../kernel/facts.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Seals } from "../kernel/seals.ts";
import { createChannelPort } from "../outbound/channel-port.ts";
import { createDownloadPort } from "../outbound/download-port.ts";
import { createSourcePort, type SourcePortParts } from "../outbound/source-port.ts";
import { createWebhookPort } from "../outbound/webhook-port.ts";
import { createPolicyPort } from "../pipeline/compliance/policy-port.ts";
import { type ConnectionPortParts, createConnectionPort } from "../runtime/connection-port.ts";
import { createEmbeddingPort } from "../runtime/embedding-port.ts";
import { createToolPort } from "../runtime/tool-port.ts";
import { createChatEvents, createEvents, createRunEvents, createTaskEvents } from "./feeds.ts";
import { joinSlices } from "./join-slices.ts";
import { createPreviews } from "./previews.ts";

export interface SlicePortParts
  extends Omit<AuditPortParts, "pool">,
    Omit<ConnectionPortParts, "headersOf">,
    Pick<SourcePortParts, "knowledgeFolders"> {
  readonly signIn: SlicePorts["signIn"];
  readonly database: OpenDatabase;
  readonly facts: FactsReader;
  readonly newId: NewId;
  readonly machine: { readonly seals: Seals };
  readonly report: (error: unknown) => void;
  /** Raised by what runs write in conversations; default: the feed looks for it by itself. */
  readonly chatSignal?: Pick<Signal, "on">;
}

/** What slices need of the machines. `taskEvents`, `runEvents`, `chatEvents`, `events`, `closeEmbedder` and `bundleScanner` are stopped by whoever made it. */
export function createSlicePorts(parts: SlicePortParts): SlicePorts & {
  readonly closeEmbedder: () => Promise<void>;
  readonly bundleScanner: ReturnType<typeof createBundleScanner>;
  readonly previews: ReturnType<typeof createPreviews>;
} {
  const { database, installation, signer, origins, sequencer, trust, makeSigner, report } = parts;
  joinSlices();
  const pool = database.readPool;
  const reader = createReader(pool);
  const embedding = createEmbeddingPort({
    ...parts,
    findConnection: (scope, name) => findConnection(reader, parts.credentialKey, scope, name),
  });
  embedder.join(parts.facts, embedding);
  const intake = {
    bundleScanner: createBundleScanner(),
    connections: createConnectionPort({ ...parts, headersOf }),
    policies: createPolicyPort((facts, scope, version) => ({
      known: facts.get(gateFacts).of(scope, version.id),
      override: facts.get(gateFacts).overrideOf(scope, version.agent),
    })),
  };
  intakePorts.join(parts.facts, intake);
  return {
    closeEmbedder: embedding.close,
    signIn: parts.signIn,
    ...intake,
    previews: createPreviews({ ...parts, db: reader, seals: parts.machine.seals }),
    audit: auditPort({ pool, installation, signer, sequencer, trust, origins, makeSigner }),
    exports: createExportPort({ pool, installation, signer, origins, trust }),
    taskEvents: createTaskEvents({ database, sequencer, report }),
    runEvents: createRunEvents({ database, sequencer, report }),
    chatEvents: createChatEvents(parts),
    sources: createSourcePort(parts),
    webhooks: createWebhookPort(parts),
    downloads: createDownloadPort(parts),
    channels: createChannelPort(parts),
    tools: createToolPort({ ...parts, credentials: credentialsOf(reader, parts.credentialKey) }),
    events: createEvents({ database, sequencer, report }),
  };
}

const credentialsOf = (reader: Reader, key: Buffer) => async (scope: Scope, name: string) => {
  const connection = await findConnection(reader, key, scope, name);
  return connection ? headersOf(connection) : null;
};
