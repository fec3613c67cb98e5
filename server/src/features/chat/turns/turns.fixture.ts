import type { LanguageModelV4 } from "@ai-sdk/provider";
import { expect, vi } from "vitest";
import { all, insert } from "../../../db/scoped.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { CallOptions, TestApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { newId, writing } from "../chat.fixture.ts";
import type { Message, Turn } from "../schemas.ts";
import { type TurnRow, turnView } from "./store.ts";

/** Starts a conversation with `sales`. Answers its id. */
export async function startConversation(app: TestApp, body: object = {}, options: CallOptions = {}): Promise<string> {
  const { status, body: answer } = await app.call("POST", "/v1/chat/conversations", {
    body: { agent: "sales", ...body },
    ...options,
  });
  expect(status).toBe(201);
  return answer.conversation_id;
}

/** Stores a turn that is over. Returns its id. */
export async function insertTurn(
  app: TestApp,
  conversation: string,
  message: string,
  environment: Environment = "development",
): Promise<string> {
  const at = new Date();
  const id = newId("tur");
  await all(
    writing(app, environment),
    insert(writing(app, environment), "chat_turns", {
      id,
      conversation,
      number: 1,
      message,
      state: "completed",
      principal: "mbr_01jd8x0000000000000000000e",
      created_at: at,
      finished_at: at,
    }),
  );
  return id;
}

/** Sends a message. */
export const send = (app: TestApp, conversation: string, text: string, more: object = {}, options: CallOptions = {}) =>
  app.call("POST", `/v1/chat/conversations/${conversation}/messages`, { body: { text, ...more }, ...options });

/** The messages of a conversation, oldest first. */
export async function messagesOf(app: TestApp, conversation: string): Promise<Message[]> {
  const { body } = await app.call("GET", `/v1/chat/conversations/${conversation}/messages?order=oldest&limit=100`);
  return body.data;
}

/** Waits until the agent's last message has this status. */
export async function replied(
  app: TestApp,
  conversation: string,
  status: Message["status"] = "complete",
  replies = 1,
): Promise<Message> {
  return vi.waitFor(
    async () => {
      const written = (await messagesOf(app, conversation)).filter(({ role }) => role === "agent");
      expect(written.map((message) => message.status)).toHaveLength(replies);
      const last = written.at(-1) as Message;
      expect(last).toMatchObject({ status });
      return last;
    },
    { timeout: 10_000, interval: 50 },
  );
}

/** What the user wrote last, as a model is shown it. */
export function lastUserText({ prompt }: Parameters<LanguageModelV4["doStream"]>[0]): string {
  const user = prompt.findLast(({ role }) => role === "user");
  const part = Array.isArray(user?.content) ? user.content.find(({ type }) => type === "text") : undefined;
  return part && "text" in part ? part.text : "";
}

/** A model that answers in a conversation with one sentence. */
export const answering = (text = "It is on its way."): LanguageModelV4 => scriptedModel(() => ({ text }));

/** The turns of a conversation, in their order. */
export async function turnsOf(app: TestApp, conversation: string): Promise<Turn[]> {
  const { rows } = await app.pool.query<TurnRow>("select * from chat_turns where conversation = $1 order by number", [
    conversation,
  ]);
  return rows.map(turnView);
}
