import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { settleTurnJob } from "../tasks/public.ts";
import { deliveryJob } from "./channels/delivery-store.ts";
import { channelFacts } from "./channels/facts.ts";
import { createDeliveryJob } from "./channels/jobs/deliver.ts";
import { createMailboxJob, mailboxJob } from "./channels/jobs/read-mailbox.ts";
import { channelSweep } from "./channels/jobs/sweep.ts";
import { compactJob } from "./conversations/compaction.ts";
import { createCompactJob } from "./conversations/jobs/compact.ts";
import { eraseSweep } from "./conversations/operations/erase-conversation.ts";
import { createSummaryJob, summaryJob } from "./handoffs/jobs/summarise.ts";
import { assignSweep } from "./handoffs/operations/assign-waiting.ts";
import { breachSweep } from "./handoffs/operations/note-breach.ts";
import { handoffSweep } from "./handoffs/operations/remind-of-handoff.ts";
import { channelPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { createTurnJob, createTurnSweep } from "./turns/jobs/settle.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    cnv: "conversations";
    ctk: "chat tokens";
    cno: "notes of conversations";
    fil: "files of conversations";
    hnd: "hand-overs of conversations";
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
  sweeps: [handoffSweep, assignSweep, breachSweep, eraseSweep],
  jobs: [
    { name: settleTurnJob, sweep: createTurnSweep(), handler: createTurnJob },
    { name: mailboxJob, sweep: channelSweep, handler: (parts) => createMailboxJob(parts, parts.port(channelPort)) },
    { name: deliveryJob, sweep: channelSweep, handler: (parts) => createDeliveryJob(parts, parts.port(channelPort)) },
    {
      name: summaryJob,
      sweep: exempt("until then the summary that quotes the conversation suffices"),
      handler: createSummaryJob,
    },
    {
      name: compactJob,
      sweep: exempt("a conversation stays long until its next turn, which asks for the job again"),
      handler: createCompactJob,
    },
  ],
});
