import { describe, expect, it } from "vitest";
import { createOpenStreams } from "./open-streams.ts";

async function* endless(): AsyncGenerator<number> {
  for (let n = 1; ; n++) yield n;
}
const refused = expect.objectContaining({ type: expect.objectContaining({ code: "rate_limited", status: 429 }) });

describe("open streams", () => {
  it("are so many of each caller, whatever others read, and room is made when one ends or its reader leaves", async () => {
    const streams = createOpenStreams(2);
    const begin = async (caller: string) => {
      streams.admit(caller);
      const reader = streams.count(caller, endless())[Symbol.asyncIterator]();
      expect(await reader.next()).toEqual({ value: 1, done: false });
      return reader;
    };
    const first = await begin("a");
    await begin("a");
    await expect(begin("a")).rejects.toEqual(refused);
    await begin("b");
    await first.return?.();
    await begin("a");
    await expect(begin("a")).rejects.toEqual(refused);
  });

  it("count from the first piece that is asked for, and no more once they have failed", async () => {
    const streams = createOpenStreams(1);
    streams.count("a", endless());
    streams.admit("a");
    // biome-ignore lint/correctness/useYield: it fails before it has anything to tell
    const broken = async function* (): AsyncGenerator<number> {
      throw new Error("the database is gone");
    };
    const reader = streams.count("a", broken())[Symbol.asyncIterator]();
    await expect(reader.next()).rejects.toThrow("the database is gone");
    streams.admit("a");
  });
});
