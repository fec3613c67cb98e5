import { defineSlice } from "../../kernel/slice.ts";
import { channelSweep, createChannelJobs } from "./channel-jobs.ts";
import type { ChannelPort } from "./channel-ports.ts";
import { channelFacts } from "./channel-store.ts";
import { createCompactJobs } from "./compact-job.ts";
import { eraseSweep } from "./erase-sweep.ts";
import type { ChatEventsPort } from "./feed.ts";
import { handoffSweep } from "./handoff-sweep.ts";
import * as schemas from "./schemas.ts";
import { createSummaryJobs } from "./summaries.ts";
import { createTurnJobs } from "./turns-job.ts";
import { createTurnSweep } from "./turns-sweep.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    cnv: "conversations";
    ctk: "chat tokens";
    fil: "files of conversations";
    mem: "memories";
    msg: "messages";
    tur: "turns of conversations";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly channels: ChannelPort;
    readonly chatEvents: ChatEventsPort;
  }
}

export const slice = defineSlice({
  about: "Conversations with agents and people.",
  schemas,
  actions: {
    "chat.change": {},
    "chat.channel": {},
    "chat.create": {},
    "chat.erase": {},
    "chat.handoff": {},
    "chat.message": { carriesInput: true, waits: true },
    "chat.read": {},
    "chat.remember": { carriesInput: true },
    "chat.reply": { carriesInput: true },
    "chat.token": {},
  },
  facts: [channelFacts],
  sweeps: [handoffSweep, createTurnSweep(), eraseSweep, channelSweep],
  jobs: (parts, ports) => ({
    ...createSummaryJobs(parts, ports),
    ...createTurnJobs(parts),
    ...createChannelJobs(parts, ports.channels),
    ...createCompactJobs(parts, ports),
  }),
});
