import type { Note, Queue, QueueTeam, TakeOver } from "../schemas.ts";

const conversation_id = "cnv_01jd8x0000000000000000000c";
const since = "2026-11-23T09:00:00.000Z";

export const exampleQueueTeam: QueueTeam = {
  team: "billing",
  title: "Billing",
  mine: true,
  open: true,
  opens_at: null,
  waiting: 1,
  answering: 0,
  breached: 0,
  oldest_at: since,
};

export const exampleQueue: Queue = {
  ...exampleQueueTeam,
  conversations: [
    {
      conversation_id,
      agent: "support",
      channel: "web",
      title: "Delivery of order 4711",
      user: "customer-4711",
      cause: "asked",
      reason: "The user asks for a person.",
      member: null,
      state: "waiting",
      since,
      due_at: "2026-11-23T09:10:00.000Z",
      breached: false,
    },
  ],
};

export const exampleNote: Note = {
  note_id: "cno_01jd8x0000000000000000000n",
  conversation_id,
  author: { id: "mbr_01jd8x0000000000000000000e", name: "Sample Operator" },
  text: "The carrier has lost the parcel before.",
  audit_ref: "aud_01jd8x0000000000000000000b",
  created_at: "2026-11-23T09:02:00.000Z",
};

export const exampleTakeOver: TakeOver = {
  conversation_id,
  handoff: {
    to: "person",
    team: "billing",
    team_title: "Billing",
    cause: "asked",
    member: null,
    position: 1,
    opens_at: null,
    reason: "The user asks for a person.",
    summary: "The user began with “Where is my order?”",
    summary_generated: false,
    requested_by: "support",
    requested_at: since,
    taken_at: null,
  },
  notes: [exampleNote],
  saved_replies: [
    { name: "on-it", title: "On it", text: "Hello customer-4711, I am looking into it. Sample Operator" },
  ],
};
