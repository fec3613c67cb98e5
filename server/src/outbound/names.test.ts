import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OutboundError, type Resolve } from "./index.ts";
import { createNames, failureMs, hangsAfter, turnMs } from "./names.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A system's resolver as processes have it: a few threads, of which names whose servers are dead keep one until they are let go. */
function system(threads: number) {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const dead = new Map<string, () => void>();
  let free = threads;
  const resolve: Resolve = async (host) => {
    if (free === 0) await new Promise<void>((turn) => void waiting.push(turn));
    free--;
    begun.push(host);
    if (host.startsWith("dead")) await new Promise<void>((end) => void dead.set(host, end));
    free++;
    waiting.shift()?.();
    if (host.startsWith("dead") || host.startsWith("none"))
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return [{ address: "127.0.0.1" }];
  };
  return { resolve, begun, dead };
}
/** What came of a look-up so far. */
function watch(work: ReturnType<Resolve>): { came: unknown } {
  const seen: { came: unknown } = { came: undefined };
  work.then(
    ([first]) => {
      seen.came = first?.address;
    },
    (error: unknown) => {
      seen.came = error;
    },
  );
  return seen;
}
const refused = (came: unknown) => expect(came).toBeInstanceOf(OutboundError);
const soon = () => vi.advanceTimersByTimeAsync(0);

describe("looking names up", () => {
  it("is done once for all who ask while it goes on, and again for who asks then", async () => {
    const { resolve, begun } = system(4);
    const names = createNames({ resolve, atATime: 4 });
    await Promise.all([names("one.test"), names("one.test"), names("two.test")]);
    expect(begun).toEqual(["one.test", "two.test"]);
    await names("one.test");
    expect(begun).toHaveLength(3);
  });

  it("is not done again for some seconds after it failed", async () => {
    const { resolve, begun } = system(2);
    const names = createNames({ resolve, atATime: 2 });
    for (const _each of [1, 2]) await expect(names("none.test")).rejects.toThrow("no such name");
    expect(begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(failureMs);
    await expect(names("none.test")).rejects.toThrow("no such name");
    expect(begun).toHaveLength(2);
  });

  it("goes on for names that are looked up promptly while any number of others hang", async () => {
    const { resolve } = system(2);
    const names = createNames({ resolve, atATime: 2 });
    await names("good.test");
    const hanging = Array.from({ length: 40 }, (_, at) => watch(names(`dead-${at}.test`)));
    for (const _each of [1, 2, 3]) {
      const good = watch(names("good.test"));
      await soon();
      expect(good.came).toBe("127.0.0.1");
    }
    expect(hanging.filter(({ came }) => came !== undefined)).toEqual([]);
  });

  it("refuses at once whoever asks for a name that hangs, and lets those go on who asked before", async () => {
    const { resolve, begun, dead } = system(2);
    const names = createNames({ resolve, atATime: 2 });
    const first = watch(names("dead.test"));
    await vi.advanceTimersByTimeAsync(hangsAfter);
    const second = watch(names("dead.test"));
    await soon();
    refused(second.came);
    expect([first.came, begun]).toEqual([undefined, ["dead.test"]]);
    dead.get("dead.test")?.();
    await soon();
    expect(first.came).toMatchObject({ code: "ENOTFOUND" });
  });

  it("gives names of which nothing is known their turn before those that took long, however many these are", async () => {
    const { resolve, dead, begun } = system(4);
    const names = createNames({ resolve, atATime: 4 });
    const slow = ["dead-1.test", "dead-2.test", "dead-3.test"];
    const first = slow.map((host) => watch(names(host)));
    await vi.advanceTimersByTimeAsync(hangsAfter);
    for (const host of slow) dead.get(host)?.();
    await vi.advanceTimersByTimeAsync(failureMs);
    expect(first.every(({ came }) => came !== undefined)).toBe(true);
    const again = slow.map((host) => watch(names(host)));
    const fresh = watch(names("fresh.test"));
    await soon();
    expect([fresh.came, begun.length]).toEqual(["127.0.0.1", 5]); // one of the three has a turn
    await vi.advanceTimersByTimeAsync(turnMs);
    expect(again[0]?.came).toBeUndefined();
    for (const { came } of again.slice(1)) refused(came);
  });
});
