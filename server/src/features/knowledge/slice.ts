import { defineSlice } from "../../kernel/slice.ts";
import * as connectorSchemas from "./connectors/schemas.ts";
import { createRemovalJob, syncSweep } from "./connectors/sweep.ts";
import { createSyncJob } from "./connectors/sync-job.ts";
import { removalJobName, syncJobName } from "./connectors/sync-job-spec.ts";
import { ingestJobs } from "./ingest/job.ts";
import { createReindexJob, reindexJobName, reindexSweep } from "./ingest/reindex-job.ts";
import { ingestSweep } from "./ingest/sweep.ts";
import { emptyDeletedBases, removeExpiredVersions } from "./jobs.ts";
import type { DownloadPort, SourcePort } from "./ports.ts";
import { questionSweep } from "./questions/question-sweep.ts";
import * as questionSchemas from "./questions/schemas.ts";
import * as schemas from "./schemas.ts";
import { compactionSweep } from "./search/compaction.ts";
import * as searchSchemas from "./search-schemas.ts";
import { createEmbedJob, embedJobName, embedSweep } from "./vectors/embed-job.ts";
import * as vectorSchemas from "./vectors/schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
    cnr: "connectors";
    syn: "syncs";
    qst: "questions";
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
  schemas: { ...schemas, ...connectorSchemas, ...vectorSchemas, ...questionSchemas, ...searchSchemas },
  actions: {
    "document.add": { carriesInput: true },
    "document.change": {},
    "document.correct": { carriesInput: true },
    "document.delete": {},
    "document.read": {},
    "document.reindex": {},
    "knowledge.change": {},
    "knowledge.create": {},
    "knowledge.delete": {},
    "knowledge.export": {},
    "knowledge.read": {},
    "knowledge.search": { carriesInput: true },
    "connector.change": {},
    "connector.create": {},
    "connector.read": {},
    "connector.remove": {},
    "knowledge.sync": {},
    "knowledge.embed": {},
    "knowledge.test": {},
  },
  sweeps: [
    emptyDeletedBases,
    removeExpiredVersions,
    syncSweep,
    embedSweep,
    questionSweep,
    ingestSweep,
    reindexSweep,
    compactionSweep,
  ],
  jobs: (parts, { sources, downloads }) => ({
    ...ingestJobs(parts, downloads),
    [reindexJobName]: createReindexJob(parts),
    [syncJobName]: createSyncJob(parts, sources),
    [removalJobName]: createRemovalJob(parts),
    [embedJobName]: createEmbedJob(parts),
  }),
});
