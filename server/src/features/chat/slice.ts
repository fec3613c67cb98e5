import { defineSlice } from "../../kernel/slice.ts";
import { channelSweep, createChannelJobs } from "./channel-jobs.ts";
import type { ChannelPort } from "./channel-ports.ts";
import { channelFacts } from "./channel-store.ts";
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
    "chat.handoff": {},
    "chat.message": { carriesInput: true, waits: true },
    "chat.read": {},
    "chat.reply": { carriesInput: true },
  },
  facts: [channelFacts],
  sweeps: [createTurnSweep(), channelSweep],
  jobs: (parts, ports) => ({
    ...createSummaryJobs(parts, ports),
    ...createTurnJobs(parts),
    ...createChannelJobs(parts, ports.channels),
  }),
});
