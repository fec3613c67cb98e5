import { defineSlice } from "../../kernel/slice.ts";
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
    "document.read": {},
    "knowledge.create": {},
    "knowledge.read": {},
  },
});
