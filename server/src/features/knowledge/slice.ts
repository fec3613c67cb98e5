import { defineSlice } from "../../kernel/slice.ts";
import * as connectorSchemas from "./connectors/schemas.ts";
import { createRemovalJob, syncSweep } from "./connectors/sweep.ts";
import { createSyncJob } from "./connectors/sync-job.ts";
import { removalJobName, syncJobName } from "./connectors/sync-job-spec.ts";
import { createIngestJob } from "./ingest/job.ts";
import { createIngestMetrics } from "./ingest/metrics.ts";
import { ingestJobName, reindexJobName } from "./ingest/model.ts";
import { createReindexJob, reindexSweep } from "./ingest/reindex-job.ts";
import { ingestSweep } from "./ingest/sweep.ts";
import { emptyDeletedBases, removeExpiredVersions } from "./jobs.ts";
import type { DownloadPort, SourcePort } from "./ports.ts";
import { questionSweep } from "./questions/question-sweep.ts";
import * as questionSchemas from "./questions/schemas.ts";
import * as schemas from "./schemas.ts";
import { compactionSweep } from "./search/compaction.ts";
import { createEmbedJob, embedJobName, embedSweep } from "./vectors/embed-job.ts";
import * as vectorSchemas from "./vectors/schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
    cnr: "connectors";
    qst: "questions";
    syn: "syncs";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly downloads: DownloadPort;
    readonly sources: SourcePort;
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas: { ...schemas, ...vectorSchemas, ...questionSchemas, ...connectorSchemas },
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
      handler: (parts, { downloads }) => createIngestJob(parts, downloads, createIngestMetrics(parts.meter)),
    },
    { name: reindexJobName, sweep: reindexSweep, handler: createReindexJob },
    { name: embedJobName, sweep: embedSweep, handler: createEmbedJob },
    { name: syncJobName, sweep: syncSweep, handler: (parts, { sources }) => createSyncJob(parts, sources) },
    { name: removalJobName, sweep: syncSweep, handler: createRemovalJob },
  ],
});
