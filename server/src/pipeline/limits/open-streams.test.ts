import { describe, expect, it, vi } from "vitest";
import { createOpenStreams, endingWith } from "./open-streams.ts";

const refused = expect.objectContaining({ type: expect.objectContaining({ code: "rate_limited", status: 429 }) });

describe("open streams", () => {
  it("are so many of each caller, whatever others read, from the moment that they are admitted until they are given back", () => {
    const streams = createOpenStreams(2);
    const first = streams.take("a");
    streams.take("a");
    expect(() => streams.take("a")).toThrow(refused);
    streams.take("b");
    first();
    first(); // a second time gives nothing back
    streams.take("a");
    expect(() => streams.take("a")).toThrow(refused);
  });
});

describe("pieces that end with a call", () => {
  async function* three(): AsyncGenerator<number> {
    yield* [1, 2, 3];
  }

  it("are the same, and it is called after the last", async () => {
    const ended = vi.fn();
    const seen: number[] = [];
    for await (const piece of endingWith(three(), ended)) {
      expect(ended).not.toHaveBeenCalled();
      seen.push(piece);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(ended).toHaveBeenCalled();
  });

  it("call when they fail, and when the reader leaves, which is told to their source", async () => {
    const [failed, left, source] = [vi.fn(), vi.fn(), vi.fn()];
    // biome-ignore lint/correctness/useYield: it fails before it has anything to tell
    const broken = async function* (): AsyncGenerator<number> {
      throw new Error("the database is gone");
    };
    await expect(endingWith(broken(), failed)[Symbol.asyncIterator]().next()).rejects.toThrow("the database is gone");
    expect(failed).toHaveBeenCalled();
    const endless = async function* (): AsyncGenerator<number> {
      try {
        for (let n = 1; ; n++) yield n;
      } finally {
        source();
      }
    };
    for await (const _piece of endingWith(endless(), left)) break;
    expect([left, source].map((one) => one.mock.calls.length)).toEqual([1, 1]);
  });

  it("call where a reader leaves who never asked for the first", async () => {
    const left = vi.fn();
    await endingWith(three(), left)[Symbol.asyncIterator]().return?.();
    expect(left).toHaveBeenCalledOnce();
  });
});
