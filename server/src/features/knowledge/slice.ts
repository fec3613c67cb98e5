import { defineSlice } from "../../kernel/slice.ts";
import { createRemovalJob, syncSweep } from "./connectors/jobs/sweep.ts";
import { createSyncJob } from "./connectors/jobs/sync.ts";
import { removalJobName, syncJobName } from "./connectors/sync-store.ts";
import { emptyDeletedBases, removeExpiredVersions } from "./documents/sweeps.ts";
import { createIngestJob, ingestSweep } from "./ingest/jobs/ingest.ts";
import { createReindexJob, reindexSweep } from "./ingest/jobs/reindex.ts";
import { createIngestMetrics } from "./ingest/metrics.ts";
import { ingestJobName, reindexJobName } from "./ingest/rules.ts";
import { downloadPort, sourcePort } from "./ports.ts";
import { questionSweep } from "./questions/store.ts";
import * as schemas from "./schemas.ts";
import { compactionSweep } from "./search/compaction.ts";
import { createEmbedJob, embedJobName, embedSweep } from "./search/vectors/jobs/embed.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
    cnr: "connectors";
    qst: "questions";
    syn: "syncs";
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas,
  actions: {
    "connector.change": {},
    "connector.create": {},
    "connector.read": {},
    "connector.remove": {},
    "document.add": { carriesInput: true },
    "document.change": {},
    "document.correct": { carriesInput: true },
    "document.delete": {},
    "document.read": {},
    "document.reindex": {},
    "knowledge.change": {},
    "knowledge.create": {},
    "knowledge.delete": {},
    "knowledge.embed": {},
    "knowledge.export": {},
    "knowledge.read": {},
    "knowledge.search": { carriesInput: true },
    "knowledge.sync": {},
    "knowledge.test": {},
  },
  sweeps: [questionSweep, compactionSweep, emptyDeletedBases, removeExpiredVersions],
  jobs: [
    {
      name: ingestJobName,
      sweep: ingestSweep,
      handler: (parts) => createIngestJob(parts, parts.port(downloadPort), createIngestMetrics(parts.meter)),
    },
    { name: reindexJobName, sweep: reindexSweep, handler: createReindexJob },
    { name: embedJobName, sweep: embedSweep, handler: createEmbedJob },
    { name: syncJobName, sweep: syncSweep, handler: (parts) => createSyncJob(parts, parts.port(sourcePort)) },
    { name: removalJobName, sweep: syncSweep, handler: createRemovalJob },
  ],
});
