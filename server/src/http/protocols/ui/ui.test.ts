import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";

// The chat that `useChat` holds, with its transport as it is.

const app = useApp();
const machines = useWorkerProcess(app);
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const worker = await machines.worker({ model: scriptedModel(() => ({ text: "It arrives on Tuesday." })) });
  stop = () => worker.stop(0);
});
afterAll(() => stop());

const finished: LanguageModelV4StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: undefined },
  usage: {
    inputTokens: { total: 10, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 5, text: undefined, reasoning: undefined },
  },
};

function openChat(id: string, messages: UIMessage[] = []): Chat<UIMessage> {
  const headers = { authorization: `Bearer ${app.key("admin")}` };
  const transport = new DefaultChatTransport({ api: `${app.url}/v1/chat/ui/sales`, headers });
  return new Chat({ id, transport, messages });
}
const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

describe("the UI message stream", () => {
  it("answers a chat, whose later messages go to the same conversation", async () => {
    const chat = openChat("chat-1");
    await chat.sendMessage({ text: "Where is my order?" });
    await chat.sendMessage({ text: "And the invoice?" });
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(textOf(chat.lastMessage)).toBe("It arrives on Tuesday.");
    expect(chat.lastMessage).toMatchObject({ id: expect.stringMatching(/^msg_/), metadata: { state: "completed" } });
    const { body } = await app.call("GET", "/v1/chat/conversations?external_key=chat-1");
    expect(body.data).toMatchObject([{ agent: "sales", messages: 4 }]);
  });

  it("has a reply made again", async () => {
    const chat = openChat("chat-2");
    await chat.sendMessage({ text: "Where is my order?" });
    const first = chat.lastMessage?.id;
    await chat.regenerate();
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(chat.messages).toHaveLength(2);
    expect(chat.lastMessage?.id).not.toBe(first);
  });

  it("tells the chat what was refused", async () => {
    const headers = { authorization: `Bearer ${app.key("viewer")}` };
    const transport = new DefaultChatTransport({ api: `${app.url}/v1/chat/ui/sales`, headers });
    const chat = new Chat({ id: "chat-3", transport });
    await chat.sendMessage({ text: "Hello" });
    expect(chat.status).toBe("error");
    expect(JSON.parse(chat.error?.message ?? "{}").code).toBe("insufficient_scope");
  });

  it("resumes a reply that is being written, from its beginning", async () => {
    const first = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    machines.say(
      scriptedModel(() => ({
        stream: new ReadableStream({
          async start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            controller.enqueue({ type: "text-start", id: "1" });
            controller.enqueue({ type: "text-delta", id: "1", delta: "It arrives " });
            first.resolve();
            await rest.promise;
            controller.enqueue({ type: "text-delta", id: "1", delta: "on Tuesday." });
            controller.enqueue({ type: "text-end", id: "1" });
            controller.enqueue(finished);
            controller.close();
          },
        }),
      })),
    );
    const chat = openChat("chat-5");
    const asked = chat.sendMessage({ text: "Where is my order?" });
    await first.promise;
    const other = openChat("chat-5");
    const resumed = other.resumeStream();
    await expect.poll(() => textOf(other.lastMessage)).toBe("It arrives ");
    rest.resolve();
    await Promise.all([asked, resumed]);
    expect([textOf(chat.lastMessage), textOf(other.lastMessage)]).toEqual([
      "It arrives on Tuesday.",
      "It arrives on Tuesday.",
    ]);
    expect(other.lastMessage?.id).toBe(chat.lastMessage?.id);
  });

  it("has nothing to resume where nothing is being written", async () => {
    const chat = openChat("chat-4");
    await chat.resumeStream();
    expect([chat.status, chat.messages]).toEqual(["ready", []]);
    expect((await app.call("GET", "/v1/chat/conversations?external_key=chat-4")).body.data).toEqual([]);
  });
});
