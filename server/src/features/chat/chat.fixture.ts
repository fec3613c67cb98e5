import { createReader } from "../../db/reader.ts";
import { all, insert, type NewRow } from "../../db/scoped.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { createIds } from "../../kernel/ids.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { TestApp } from "../../testing/app.ts";
import { appendEvents, type NewChatEvent } from "./conversations/event-store.ts";
import { addMessage, type MessageRow, messageView, type NewMessage } from "./conversations/message-store.ts";
import { nobody } from "./conversations/writers.ts";
import type { Part } from "./schemas.ts";

// Conversations as they stand in the database, for tests of what reads them: nobody starts them, no agent answers in them.

const newId = createIds(systemClock);
const auditRef = "aud_01jd8x0000000000000000000b";

/** What stores take of a call's context. */
export function writing(app: TestApp, environment: Environment = "development", now = Date.now()): WriteContext {
  const scope = { ...app.scope, environment };
  return { scope, db: createReader(app.pool), now, auditRef } as unknown as WriteContext;
}

type Arranged = Partial<NewRow<"chat_conversations">>;

/** Stores a conversation with `sales`. Returns its id. */
export async function insertConversation(
  app: TestApp,
  changes: Arranged = {},
  environment: Environment = "development",
): Promise<string> {
  const id = newId("cnv");
  const at = new Date();
  await all(
    writing(app, environment),
    insert(writing(app, environment), "chat_conversations", {
      id,
      agent: "sales",
      principal: "mbr_01jd8x0000000000000000000e",
      audit_ref: auditRef,
      created_at: at,
      updated_at: at,
      ...changes,
    }),
  );
  return id;
}

type Given = Partial<Omit<NewMessage, "parts">> & { readonly parts?: readonly Part[] };

/** Stores a message with this text and the event that tells of it. */
export async function insertMessage(
  app: TestApp,
  conversation: string,
  text: string,
  { environment = "development", ...given }: Given & { environment?: Environment } = {},
): Promise<MessageRow> {
  const ctx = writing(app, environment);
  const row = await addMessage(ctx, conversation, {
    id: newId("msg"),
    role: "user",
    author: null,
    author_name: null,
    status: "complete",
    parts: [{ type: "text", text }],
    writers: nobody,
    ...given,
  });
  await appendEvents(ctx, conversation, [{ type: "chat.message.created", data: { message: messageView(row) } }]);
  return row;
}

/** Stores so many events that each tell of a piece of text, as a reply does while it is written. */
export async function appendDeltas(app: TestApp, conversation: string, texts: readonly string[]): Promise<number> {
  const events = texts.map(
    (text): NewChatEvent => ({ type: "chat.part.delta", data: { message_id: "msg_1", index: 0, text } }),
  );
  return appendEvents(writing(app), conversation, events);
}

export { newId };
