import { defineSlice } from "../../kernel/slice.ts";
import { emptyDeletedBases, removeExpiredVersions } from "./jobs.ts";
import * as connectorSchemas from "./connectors/schemas.ts";
import { createRemovalJob, syncSweep } from "./connectors/sweep.ts";
import { createSyncJob } from "./connectors/sync-job.ts";
import { removalJobName, syncJobName } from "./connectors/sync-job-spec.ts";
import type { SourcePort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
    cnr: "connectors";
    syn: "syncs";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly sources: SourcePort;
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas: { ...schemas, ...connectorSchemas },
  actions: {
    "chunk.change": { carriesInput: true },
    "document.add": { carriesInput: true },
    "document.change": {},
    "document.delete": {},
    "document.read": {},
    "knowledge.change": {},
    "knowledge.create": {},
    "knowledge.delete": {},
    "knowledge.export": {},
    "knowledge.read": {},
    "connector.change": {},
    "connector.create": {},
    "connector.remove": {},
    "knowledge.sync": {},
  },
  sweeps: [emptyDeletedBases, removeExpiredVersions, syncSweep],
  jobs: (parts, { sources }) => ({
    [syncJobName]: createSyncJob(parts, sources),
    [removalJobName]: createRemovalJob(parts),
  }),
});
