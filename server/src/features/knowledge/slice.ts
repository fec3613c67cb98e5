import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";
import { compactionSweep } from "./search/compaction.ts";
import * as searchSchemas from "./search-schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
    qst: "questions";
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas: { ...schemas, ...searchSchemas },
  actions: {
    "document.add": { carriesInput: true },
    "document.read": {},
    "knowledge.create": {},
    "knowledge.read": {},
    "knowledge.search": { carriesInput: true },
  },
  sweeps: [compactionSweep],
});
