import { defineSlice } from "../../kernel/slice.ts";
import * as schemas from "./schemas.ts";
import { createSummaryJobs } from "./summaries.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    cnv: "conversations";
    fil: "files of conversations";
    mem: "memories";
    msg: "messages";
    tur: "turns of conversations";
  }
}

export const slice = defineSlice({
  about: "Conversations with agents and people.",
  schemas,
  actions: {
    "chat.change": {},
    "chat.create": {},
    "chat.handoff": {},
    "chat.message": { carriesInput: true },
    "chat.read": {},
    "chat.reply": { carriesInput: true },
  },
  jobs: (parts, ports) => createSummaryJobs(parts, ports),
});
