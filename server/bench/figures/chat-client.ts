import http from "node:http";
import type { Service } from "../service.ts";
import type { Call } from "./tasks-service.ts";

const kept = new http.Agent({ keepAlive: true });

/** When the first words of a reply came, and when its stream ended, since the message was sent (milliseconds). */
export interface ChatTurnTimes {
  readonly first: number;
  readonly end: number;
}

/** Starts so many conversations with an agent. Answers their ids. */
export function startConversations(call: Call, agent: string, count: number): Promise<string[]> {
  const start = async () => {
    const { conversation_id } = await call<{ conversation_id: string }>("POST", "/v1/chat/conversations", { agent });
    return conversation_id;
  };
  return Promise.all(Array.from({ length: count }, start));
}

/** Sends a message and reads what becomes of it. Throws where no reply comes. */
export function converse({ url, key }: Service, conversation: string, text: string): Promise<ChatTurnTimes> {
  const body = JSON.stringify({ text });
  const headers = { ...headersOf(key), "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const path = `${url}/v1/chat/conversations/${conversation}/messages`;
    const request = http.request(path, { method: "POST", agent: kept, headers }, (answer) => {
      let [read, first] = ["", 0];
      answer.setEncoding("utf8").on("data", (piece: string) => {
        read += piece;
        if (first === 0 && read.includes("event: chat.part.delta")) first = performance.now() - began;
      });
      answer.on("error", reject).on("end", () => {
        if (first === 0) reject(new Error(`no reply came, but ${answer.statusCode}: ${read.slice(0, 2_000)}`));
        else resolve({ first, end: performance.now() - began });
      });
    });
    request.on("error", reject).end(body);
  });
}

/** Follows conversations and reads whatever comes, until the function that it answers is called. */
export async function followAll(
  { url }: Service,
  keys: readonly string[],
  conversations: readonly string[],
): Promise<() => void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const follow = (id: string, at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const key = keys[at % keys.length] as string;
      const request = http.get(`${url}/v1/chat/conversations/${id}/stream`, { agent, headers: headersOf(key) });
      request.on("response", (answer) => {
        answer.on("error", () => undefined).resume();
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`following answered ${answer.statusCode}`));
      });
      request.on("error", reject);
    });
  await Promise.all(conversations.map(follow));
  return () => agent.destroy();
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, accept: "text/event-stream" });
