import { defineSlice } from "../../kernel/slice.ts";
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

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas: { ...schemas, ...vectorSchemas, ...questionSchemas },
  actions: {
    "document.add": { carriesInput: true },
    "document.read": {},
    "knowledge.create": {},
    "knowledge.embed": {},
    "knowledge.read": {},
    "knowledge.test": {},
  },
  sweeps: [embedSweep, questionSweep],
  jobs: (parts) => ({ [embedJobName]: createEmbedJob(parts) }),
});
