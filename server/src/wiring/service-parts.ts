import { type AuditPortParts, auditPort } from "../audit-log/audit-port.ts";
import { createExportPort } from "../audit-log/export-port.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { Signal } from "../db/signal.ts";
import { createSignInPort, headersOf } from "../features/admin/index.ts";
import { findConnection } from "../features/admin/public.ts";
import { gateFacts } from "../features/evaluations/gates/facts.ts";
import { createBundleScanner } from "../features/marketplace/bundles/scanner.ts";
import type { Reader } from "../kernel/db.ts";
import type { FactsReader } from "../kernel/facts.ts";
import type { SendMail } from "../kernel/identity.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Meter } from "../kernel/metrics.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Seals } from "../kernel/seals.ts";
import { createChannelPort } from "../outbound/channel-port.ts";
import { createDownloadPort } from "../outbound/download-port.ts";
import { createSinkPort } from "../outbound/sink-port.ts";
import { createSourcePort, type SourcePortParts } from "../outbound/source-port.ts";
import { createWebhookPort } from "../outbound/webhook-port.ts";
import { createPolicyPort } from "../pipeline/compliance/policy-port.ts";
import { type ConnectionPortParts, createConnectionPort } from "../runtime/connection-port.ts";
import { createEmbeddingPort } from "../runtime/embedding-port.ts";
import { createRerankPort } from "../runtime/rerank-port.ts";
import { createToolPort } from "../runtime/tool-port.ts";
import { createChatEvents, createEvents, createRunEvents, createTaskEvents } from "./feeds.ts";
import { createPreviews } from "./previews.ts";

export interface ServiceParts
  extends Omit<AuditPortParts, "pool">,
    Omit<ConnectionPortParts, "headersOf">,
    Pick<SourcePortParts, "knowledgeFolders"> {
  readonly sendMail: SendMail | null;
  readonly database: OpenDatabase;
  readonly reader: Reader;
  readonly facts: FactsReader;
  readonly newId: NewId;
  readonly seals: Seals;
  readonly report: (error: unknown) => void;
  /** Default: nothing is counted. */
  readonly meter?: Meter;
  /** Raised by what runs write in conversations; default: the feed looks for it by itself. */
  readonly chatSignal?: Pick<Signal, "on">;
}

/** The parts of a service that slices reach by ports, each with state of its own. */
export type MadeParts = ReturnType<typeof createServiceParts>;

export function createServiceParts(parts: ServiceParts) {
  const { database, reader, credentialKey, installation, signer, origins, sequencer, trust, makeSigner } = parts;
  const pool = database.readPool;
  const log = { pool, installation, signer, origins, trust };
  return {
    audit: auditPort({ ...log, sequencer, makeSigner }),
    bundleScanner: createBundleScanner(),
    channels: createChannelPort(parts),
    chatEvents: createChatEvents(parts),
    connections: createConnectionPort({ ...parts, headersOf }),
    downloads: createDownloadPort(parts),
    embedding: createEmbeddingPort({
      ...parts,
      findConnection: (scope, name) => findConnection(reader, credentialKey, scope, name),
    }),
    events: createEvents(parts),
    exports: createExportPort(log),
    policies: createPolicyPort((facts, scope, version) => ({
      known: facts.get(gateFacts).of(scope, version.id),
      override: facts.get(gateFacts).overrideOf(scope, version.agent),
    })),
    previews: createPreviews({ ...parts, db: reader }),
    reranking: createRerankPort({
      ...parts,
      findConnection: (scope, name) => findConnection(reader, credentialKey, scope, name),
    }),
    runEvents: createRunEvents(parts),
    signIn: createSignInPort(credentialKey, parts.sendMail),
    sinks: createSinkPort(parts),
    sources: createSourcePort(parts),
    taskEvents: createTaskEvents(parts),
    tools: createToolPort({ ...parts, credentials: credentialsOf(reader, credentialKey) }),
    webhooks: createWebhookPort(parts),
  };
}

/** Ends what follows events, so that their readers' streams end. */
export function stopFeeds({ taskEvents, runEvents, chatEvents, events }: MadeParts): void {
  for (const feed of [taskEvents, runEvents, chatEvents, events]) feed.stop();
}

/** Ends connections and threads. */
export async function closeParts({
  embedding,
  reranking,
  previews,
  channels,
  bundleScanner,
}: MadeParts): Promise<void> {
  await Promise.all([embedding, reranking, previews, channels, bundleScanner].map((part) => part.close()));
}

const credentialsOf = (reader: Reader, key: Buffer) => async (scope: Scope, name: string) => {
  const connection = await findConnection(reader, key, scope, name);
  return connection ? headersOf(connection) : null;
};
