import { defineSlice } from "../../kernel/slice.ts";
import { ingestJobs } from "./ingest/job.ts";
import { createReindexJob, reindexJobName, reindexSweep } from "./ingest/reindex-job.ts";
import { ingestSweep } from "./ingest/sweep.ts";
import type { DownloadPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly downloads: DownloadPort;
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas,
  actions: {
    "document.add": { carriesInput: true },
    "document.read": {},
    "document.reindex": {},
    "knowledge.create": {},
    "knowledge.read": {},
  },
  sweeps: [ingestSweep, reindexSweep],
  jobs: (parts, { downloads }) => ({ ...ingestJobs(parts, downloads), [reindexJobName]: createReindexJob(parts) }),
});
