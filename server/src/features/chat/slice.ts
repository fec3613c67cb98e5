import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { settleTurnJob } from "../tasks/public.ts";
import type { ChannelPort } from "./channel-ports.ts";
import { channelFacts } from "./channel-store.ts";
import { channelSweep } from "./channel-sweep.ts";
import { compactJob } from "./compact.ts";
import { createCompactJob } from "./compact-job.ts";
import { createDeliveryJob } from "./delivery-job.ts";
import { deliveryJob } from "./delivery-store.ts";
import { createMailboxJob, mailboxJob } from "./email-reader.ts";
import { eraseSweep } from "./erase-sweep.ts";
import type { ChatEventsPort } from "./feed.ts";
import { handoffSweep } from "./handoff-sweep.ts";
import * as schemas from "./schemas.ts";
import { createSummaryJob, summaryJob } from "./summaries.ts";
import { createTurnJob } from "./turns-job.ts";
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
  sweeps: [handoffSweep, eraseSweep],
  jobs: [
    { name: settleTurnJob, sweep: createTurnSweep(), handler: createTurnJob },
    { name: mailboxJob, sweep: channelSweep, handler: (parts, { channels }) => createMailboxJob(parts, channels) },
    { name: deliveryJob, sweep: channelSweep, handler: (parts, { channels }) => createDeliveryJob(parts, channels) },
    {
      name: summaryJob,
      sweep: exempt("the summary that quotes the conversation stands until then, and suffices"),
      handler: createSummaryJob,
    },
    {
      name: compactJob,
      sweep: exempt("a conversation stays long until its next turn, which asks for the job again"),
      handler: createCompactJob,
    },
  ],
});
