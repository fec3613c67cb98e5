import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { scriptedModel } from "../../../testing/models.ts";
import { openEvents } from "../../../testing/sse.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { writing } from "../chat.fixture.ts";
import { listEvents } from "../conversations/event-store.ts";
import { send, startConversation } from "./turns.fixture.ts";

const app = useApp();
const machines = useWorkerProcess(app);
const conversations = 80;
/** How often each follower's connection breaks off. */
const breaks = 3;
const pieces = 12;

/** A text that comes in pieces over a while. */
const slowly = () =>
  scriptedModel(() => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
    let at = 0;
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async pull(controller) {
        if (at === 0) controller.enqueue({ type: "text-start", id: "1" });
        await delay(40 * Math.random());
        controller.enqueue({ type: "text-delta", id: "1", delta: `piece ${at++} ` });
        if (at < pieces) return;
        controller.enqueue({ type: "text-end", id: "1" });
        controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage });
        controller.close();
      },
    });
    return { stream };
  });

interface Told {
  readonly sequence: number;
  readonly type: string;
  readonly data: unknown;
}
const hashOf = (events: readonly Told[]): string => {
  const hash = createHash("sha256");
  for (const { sequence, type, data } of events) hash.update(`${sequence} ${type} ${JSON.stringify(data)}\n`);
  return hash.digest("hex");
};

/** Follows until the turn has completed, over connections that break off after random numbers of events. */
async function follow(conversation: string, key: string): Promise<Told[]> {
  const heard: Told[] = [];
  for (let connection = 0; ; connection++) {
    const last = heard.at(-1)?.sequence;
    const url = `${app.url}/v1/chat/conversations/${conversation}/stream`;
    const client = await openEvents(url, key, last === undefined ? {} : { lastEventId: String(last) });
    expect(client.status).toBe(200);
    let left = connection < breaks ? 1 + Math.floor(6 * Math.random()) : Number.POSITIVE_INFINITY;
    for await (const { id, event, data } of client) {
      if (id === undefined || event === undefined || data === undefined) continue;
      heard.push({ sequence: Number(id), type: event, data: JSON.parse(data) });
      const { turn } = JSON.parse(data) as { turn?: { state: string } };
      if (turn?.state !== "completed" && --left > 0) continue;
      client.leave(); // before the loop ends, which would only stop reading
      if (turn?.state === "completed") return heard;
    }
  }
}

it("loses and doubles nothing for 80 followers who reconnect at random times", { timeout: 600_000 }, async () => {
  const worker = await machines.worker({ model: slowly(), concurrency: 64 });
  const keys = await Promise.all(Array.from({ length: 4 }, async () => (await app.member("builder")).secret));
  const ids: string[] = [];
  for (let i = 0; i < conversations; i++) ids.push(await startConversation(app));
  const followed = ids.map((id, at) => follow(id, keys[at % keys.length] as string));
  const waiting = ids.values();
  const lane = async (): Promise<void> => {
    for (const id of waiting) expect((await send(app, id, "Where is my order?")).status).toBe(202);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const told = await Promise.all(followed);
  for (const [at, heard] of told.entries()) {
    const id = ids[at] as string;
    const stored = await listEvents(writing(app), id, 0, 10_000);
    const until = stored.filter(({ sequence }) => sequence <= (heard.at(-1)?.sequence ?? 0));
    expect(heard.map(({ sequence }) => sequence)).toEqual(until.map(({ sequence }) => sequence));
    expect(hashOf(heard)).toBe(hashOf(until));
    expect(until.map(({ sequence }) => sequence)).toEqual(until.map((_event, place) => place + 1));
  }
  expect(machines.faults).toEqual([]);
  await worker.stop(0);
});
