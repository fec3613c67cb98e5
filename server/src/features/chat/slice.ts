import { defineSlice } from "../../kernel/slice.ts";
import { channelSweep, createChannelJobs } from "./channel-jobs.ts";
import type { ChannelPort } from "./channel-ports.ts";
import { channelFacts } from "./channel-store.ts";
import * as schemas from "./schemas.ts";
import { createSummaryJobs } from "./summaries.ts";
import { createTurnJobs } from "./turns-job.ts";

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
    readonly channels: ChannelPort;
  }
}

export const slice = defineSlice({
  about: "Conversations with agents and people.",
  schemas,
  actions: {
    "chat.change": {},
    "chat.channel": {},
    "chat.create": {},
    "chat.handoff": {},
    "chat.message": { carriesInput: true, waits: true },
    "chat.read": {},
    "chat.reply": { carriesInput: true },
  },
  facts: [channelFacts],
  sweeps: [channelSweep],
  jobs: (parts, ports) => ({
    ...createSummaryJobs(parts, ports),
    ...createTurnJobs(parts),
    ...createChannelJobs(parts, ports.channels),
  }),
});
