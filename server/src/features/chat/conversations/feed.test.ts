import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { remove } from "../../../db/scoped.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { appendDeltas, insertConversation, writing } from "../chat.fixture.ts";
import type { ChatEvent } from "../schemas.ts";
import { type ChatEventsPort, type ChatFeedParts, createChatFeed } from "./feed.ts";

const app = useSharedApp();
const never = new AbortController().signal;
const feeds: ChatEventsPort[] = [];

afterEach(() => {
  for (const feed of feeds.splice(0)) feed.stop();
});

function feedOf(parts: Partial<ChatFeedParts> = {}): ChatEventsPort {
  const quiet = { onChange: () => () => undefined, report: () => undefined };
  const feed = createChatFeed({ db: createReader(app.pool), ...quiet, pollMs: 10, ...parts });
  feeds.push(feed);
  return feed;
}

async function take(events: AsyncIterable<ChatEvent>, most = Number.POSITIVE_INFINITY): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of events) {
    found.push(sequence);
    if (found.length === most) break;
  }
  return found;
}
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);
const close = (id: string) => app.pool.query("update chat_conversations set state = 'closed' where id = $1", [id]);

describe("following a conversation", () => {
  it("tells what was stored before and what comes, and ends when it is closed and all was told", async () => {
    const id = await insertConversation(app);
    await appendDeltas(app, id, ["Hel", "lo"]);
    const told = feedOf().follow(app.scope, id, 0, never)[Symbol.asyncIterator]();
    expect((await told.next()).value).toMatchObject({ sequence: 1, type: "chat.part.delta", data: { text: "Hel" } });
    expect((await told.next()).value).toMatchObject({ sequence: 2 });
    const third = told.next();
    await appendDeltas(app, id, ["."]);
    expect((await third).value).toMatchObject({ sequence: 3 });
    await close(id);
    expect(await told.next()).toEqual({ done: true, value: "over" });
  });

  it("tells more than one look takes, and ends for a conversation that is erased", async () => {
    const id = await insertConversation(app);
    await appendDeltas(app, id, Array(250).fill("x"));
    const told = feedOf().follow(app.scope, id, 0, never)[Symbol.asyncIterator]();
    for (const sequence of upTo(250)) expect((await told.next()).value).toMatchObject({ sequence });
    const end = told.next();
    const ctx = writing(app);
    const erase = remove(ctx, "chat_conversations").where("id", "=", id).compile();
    await ctx.db.query(erase.sql, erase.parameters);
    expect(await end).toEqual({ done: true, value: "over" });
  });

  it("looks once for 2,000 followers, wakes them at once, and refuses one more", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => insertConversation(app)));
    for (const id of ids) await appendDeltas(app, id, ["one"]);
    const query = vi.fn(createReader(app.pool).query);
    let woken = (): void => undefined;
    const onChange = (callback: () => void) => {
      woken = callback;
      return () => undefined;
    };
    const feed = feedOf({ db: { query: query as never }, onChange, pollMs: 600_000 });
    const told = upTo(2_000).map((i) =>
      feed.follow(app.scope, ids[i % 20] as string, 0, never)[Symbol.asyncIterator](),
    );
    for (const one of await Promise.all(told.map((follower) => follower.next())))
      expect(one.value).toMatchObject({ sequence: 1 });
    expect(() => feed.follow(app.scope, ids[0] as string, 0, never)).toThrow(
      expect.objectContaining({ type: expect.objectContaining({ code: "overloaded" }) }),
    );
    const next = Promise.all(told.map((follower) => follower.next()));
    for (const id of ids) await appendDeltas(app, id, ["two"]);
    const looks = query.mock.calls.length;
    woken();
    await next;
    expect(query.mock.calls.length - looks).toBeLessThanOrEqual(2);
    for (const follower of told) await follower.return?.();
  });

  it("is told of nothing in another environment, and of nothing after it left", async () => {
    const id = await insertConversation(app);
    await appendDeltas(app, id, ["mine"]);
    const left = new AbortController();
    const feed = feedOf();
    const foreign = feed.follow({ ...app.scope, environment: "staging" }, id, 0, never);
    expect(await take(foreign)).toEqual([]);
    const own = take(feed.follow(app.scope, id, 1, left.signal));
    left.abort();
    expect(await own).toEqual([]);
  });
});

it("loses and doubles nothing for many conversations whose followers come back at random, in any of three processes", async () => {
  const processes = [feedOf(), feedOf(), feedOf()];
  const random = seeded(18);
  const hash = (texts: readonly string[]): string => createHash("sha256").update(JSON.stringify(texts)).digest("hex");
  const converse = async (): Promise<[told: string, stored: string]> => {
    const id = await insertConversation(app);
    const stored: string[] = [];
    const writes = (async () => {
      while (stored.length < 60) {
        const texts = upTo(1 + random(6)).map((n) => `${stored.length}-${n} `);
        await appendDeltas(app, id, texts);
        stored.push(...texts);
      }
      await close(id);
    })();
    const told: ChatEvent[] = [];
    for (let isOver = false; !isOver; ) {
      isOver = true;
      const feed = processes[random(3)] as ChatEventsPort;
      const patience = told.length + 1 + random(25);
      for await (const event of feed.follow(app.scope, id, told.at(-1)?.sequence ?? 0, never)) {
        told.push(event);
        isOver = told.length < patience;
        if (!isOver) break;
      }
    }
    await writes;
    expect(told.map(({ sequence }) => sequence)).toEqual(upTo(stored.length));
    return [hash(told.map(({ data }) => String(data.text))), hash(stored)];
  };
  for (const [told, stored] of await Promise.all(Array.from({ length: 12 }, converse))) expect(told).toBe(stored);
});

/** Whole numbers below a bound, the same in every run. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
}
