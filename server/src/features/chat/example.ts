import type { ChatEvent, ChatFile, Conversation, CreatedChatToken, Memory, Message, Sent, Turn } from "./schemas.ts";

// Values that fit the schemas, shown in the description.

const at = (time: string): string => `2026-11-23T${time}.000Z`;
const audit_ref = "aud_01jd8x0000000000000000000b";
const conversation_id = "cnv_01jd8x0000000000000000000c";
const task_id = "tsk_01jd8x0000000000000000000a";

export const exampleConversation: Conversation = {
  conversation_id,
  agent: "support",
  repin_after_seconds: 86_400,
  state: "open",
  version: { number: 3, version_id: "agv_01jd8x0000000000000000000v" },
  handler: { kind: "agent", id: "support", name: "support", since: null },
  handoff: null,
  held_by: null,
  user: "customer-4711",
  channel: "api",
  external_key: null,
  title: "Delivery of order 4711",
  labels: [],
  language: "en",
  context: { order: "4711" },
  busy: false,
  waiting: 0,
  messages: 2,
  sequence: 9,
  disclosure: { text: "You are talking to an AI agent.", delivered_at: at("09:00:01") },
  forked_from: null,
  started_by: "mbr_01jd8x0000000000000000000e",
  revision: 1,
  audit_ref,
  created_at: at("09:00:00"),
  updated_at: at("09:00:02"),
  last_message_at: at("09:00:02"),
  closed_at: null,
  erase_at: null,
};

export const exampleMessage: Message = {
  message_id: "msg_01jd8x0000000000000000000m",
  conversation_id,
  number: 2,
  role: "agent",
  author: { kind: "agent", id: "support", name: "support" },
  status: "complete",
  parts: [
    { type: "text", text: "It is on its way and arrives on Tuesday." },
    {
      type: "citation",
      title: "Delivery times",
      quote: "Parcels arrive within three days.",
      base: "help",
      document_id: "doc_01jd8x0000000000000000000d",
      chunk_id: null,
      url: null,
    },
  ],
  turn_id: "tur_01jd8x0000000000000000000t",
  task_id,
  generated: true,
  imported: false,
  covers: null,
  replaces: null,
  replaced_by: null,
  trust_score: 0.91,
  audit_ref,
  created_at: at("09:00:01"),
  completed_at: at("09:00:02"),
};

export const exampleTurn: Turn = {
  turn_id: "tur_01jd8x0000000000000000000t",
  state: "completed",
  task_id,
  failure: null,
  message_id: "msg_01jd8x0000000000000000000n",
  reply_id: exampleMessage.message_id,
};

export const exampleSent: Sent = {
  conversation_id,
  message_id: exampleTurn.message_id,
  turn_id: exampleTurn.turn_id,
  state: "running",
  reply_id: exampleMessage.message_id,
  task_id,
  reply: null,
  sequence: 0,
  trust_score: 0.9,
  audit_ref,
};

export const exampleChatEvent: ChatEvent = {
  sequence: 4,
  type: "chat.part.delta",
  time: at("09:00:01"),
  data: { message_id: exampleMessage.message_id, index: 0, text: "It is on its way" },
};

export const exampleMemory: Memory = {
  memory_id: "mem_01jd8x0000000000000000000e",
  user: "customer-4711",
  conversation_id: null,
  generated: false,
  text: "Wants parcels left with the neighbour.",
  source_message_id: null,
  author: exampleConversation.started_by,
  audit_ref,
  created_at: at("09:01:00"),
};

export const exampleFile: ChatFile = {
  file_id: "fil_01jd8x0000000000000000000d",
  conversation_id,
  name: "order.txt",
  media_type: "text/plain",
  size: 22,
  sha256: "6f2d3b4b3b1e5d0a7d54b9be42a2ae12d55ba6d3cf5a5d9d4f1fa30cf6c0e4b7",
  characters: 22,
  author: exampleConversation.started_by,
  audit_ref,
  created_at: at("09:02:00"),
};

export const exampleChatToken: CreatedChatToken = {
  token_id: "ctk_01jd8x0000000000000000000k",
  token: "aosct_eyJvcmdhbml6YXRpb24iOiJkZWZhdWx0In0.Qm9vdA",
  agent: "support",
  channel: "web",
  user: "customer-4711",
  conversation: null,
  origins: ["https://www.example.com"],
  expires_at: "2026-11-23T09:15:00.000Z",
  audit_ref: "aud_01jd8x0000000000000000000b",
};
