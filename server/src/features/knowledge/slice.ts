import { defineSlice } from "../../kernel/slice.ts";
import { emptyDeletedBases, removeExpiredVersions } from "./jobs.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    doc: "documents";
    kb: "knowledge bases";
  }
}

export const slice = defineSlice({
  about: "Knowledge bases, their documents, and search.",
  schemas,
  actions: {
    "document.add": { carriesInput: true },
    "document.change": {},
    "document.correct": { carriesInput: true },
    "document.delete": {},
    "document.read": {},
    "knowledge.change": {},
    "knowledge.create": {},
    "knowledge.delete": {},
    "knowledge.export": {},
    "knowledge.read": {},
  },
  sweeps: [emptyDeletedBases, removeExpiredVersions],
});
