import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";
import { createEmbedJob, embedJobName, embedSweep } from "./vectors/embed-job.ts";
import * as vectorSchemas from "./vectors/schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas: { ...schemas, ...vectorSchemas },
  actions: {
    "document.add": { carriesInput: true },
    "document.read": {},
    "knowledge.create": {},
    "knowledge.embed": {},
    "knowledge.read": {},
  },
  sweeps: [embedSweep],
  jobs: (parts) => ({ [embedJobName]: createEmbedJob(parts) }),
});
