import { Type } from "typebox";
import { isId } from "../../../kernel/ids.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineResource, type RowOf } from "../../../resources/resource.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleMemory } from "../example.ts";
import { Memory, MemoryId } from "./schemas.ts";

export const owned = ownTables({
  chat_memories: {
    keeps: untilRemoved("Deleted by people, and with the conversation or message that they were taken from."),
    personal: { columns: ["end_user", "text", "author"], erased: erasedBy("chat.deleteMemory") },
  },
});

const servesAll = whole("what is remembered of a user serves all agents");

export const memories = defineResource({
  table: owned.chat_memories,
  key: "id",
  isKey: (text) => isId(text, "mem"),
  path: "/v1/chat/memories",
  member: Type.Object({ memory: MemoryId }),
  item: Memory,
  identity: "memory_id",
  example: { params: { memory: exampleMemory.memory_id }, item: exampleMemory },
  view: (row): Memory => ({
    memory_id: row.id,
    user: row.end_user,
    conversation_id: row.conversation,
    text: row.text,
    source_message_id: row.source_message,
    generated: row.generated,
    author: row.author,
    audit_ref: row.audit_ref,
    created_at: row.created_at.toISOString(),
  }),
  object: "memory",
  objects: "memories",
  permission: { read: "chat:read", change: "chat:answer" },
  governs: { read: "chat.read", change: "chat.remember", remove: "chat.erase" },
  narrowing: { one: servesAll, all: servesAll },
  decides: "documents",
});
export type MemoryRow = RowOf<typeof memories>;
