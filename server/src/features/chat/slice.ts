import { defineSlice } from "../../kernel/slice.ts";
import { eraseSweep } from "./erase-sweep.ts";
import type { ChatEventsPort } from "./feed.ts";
import * as schemas from "./schemas.ts";
import { createSummaryJobs } from "./summaries.ts";
import { createTurnJobs } from "./turns-job.ts";
import { createTurnSweep } from "./turns-sweep.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    cnv: "conversations";
    fil: "files of conversations";
    mem: "memories";
    msg: "messages";
    tur: "turns of conversations";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly chatEvents: ChatEventsPort;
  }
}

export const slice = defineSlice({
  about: "Conversations with agents and people.",
  schemas,
  actions: {
    "chat.change": {},
    "chat.create": {},
    "chat.erase": {},
    "chat.remember": { carriesInput: true },
    "chat.handoff": {},
    "chat.message": { carriesInput: true, waits: true },
    "chat.read": {},
    "chat.reply": { carriesInput: true },
  },
  sweeps: [createTurnSweep(), eraseSweep],
  jobs: (parts, ports) => ({ ...createSummaryJobs(parts, ports), ...createTurnJobs(parts) }),
});
