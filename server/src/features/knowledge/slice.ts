import { defineSlice } from "../../kernel/slice.ts";
import { ingestJobs } from "./ingest/job.ts";
import { ingestSweep } from "./ingest/sweep.ts";
import type { DownloadPort } from "./ports.ts";
import { questionSweep } from "./questions/question-sweep.ts";
import * as questionSchemas from "./questions/schemas.ts";
import * as schemas from "./schemas.ts";
import { createEmbedJob, embedJobName, embedSweep } from "./vectors/embed-job.ts";
import * as vectorSchemas from "./vectors/schemas.ts";

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
  schemas: { ...schemas, ...vectorSchemas, ...questionSchemas },
  actions: {
    "chunk.change": { carriesInput: true },
    "document.add": { carriesInput: true },
    "document.change": {},
    "document.delete": {},
    "document.read": {},
    "document.reindex": {},
    "knowledge.change": {},
    "knowledge.create": {},
    "knowledge.delete": {},
    "knowledge.embed": {},
    "knowledge.export": {},
    "knowledge.read": {},
    "knowledge.test": {},
  },
  sweeps: [ingestSweep, embedSweep, questionSweep],
  jobs: (parts, { downloads }) => ({ ...ingestJobs(parts, downloads), [embedJobName]: createEmbedJob(parts) }),
});
