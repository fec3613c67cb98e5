import fc from "fast-check";
import { expect, it } from "vitest";
import type { Tell, Told } from "../kernel/chat-turn.ts";
import { LiveText } from "./live-text.ts";

const textOf = (told: readonly Told[]): string =>
  told.flatMap((one) => (one.kind === "text" ? [one.text] : [])).join("");

it("tells every piece once and in order, whenever pieces come and however long telling takes", async () => {
  const pauses = fc.constantFrom<() => Promise<unknown>>(
    async () => undefined,
    () => new Promise(setImmediate),
    () => new Promise((resolve) => setTimeout(resolve, 2)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), pauses), { maxLength: 20 }), pauses, async (pieces, slow) => {
      const told: Told[] = [];
      let telling = 0;
      const tell: Tell = async (given) => {
        expect(++telling).toBe(1);
        await slow();
        told.push(...given);
        telling--;
        return { kind: "told", text: null };
      };
      const live = new LiveText(tell, 3);
      for (const [piece, pause] of pieces) {
        live.take(piece);
        await pause();
      }
      await live.end();
      expect(textOf(told)).toBe(pieces.map(([piece]) => piece).join(""));
      expect(told.filter(({ kind }) => kind !== "text").map(({ kind }) => kind)).toEqual(["begin", "end"]);
    }),
    { numRuns: 20 },
  );
});

it("tells no more once the lease is lost, and says so at the end", async () => {
  const calls: string[] = [];
  const live = new LiveText(async (told) => {
    calls.push(textOf(told));
    return { kind: "lost" };
  }, 1);
  live.take("a");
  await new Promise(setImmediate);
  live.take("b");
  expect(await live.end()).toEqual({ kind: "lost" });
  expect(calls).toEqual(["a"]);
});

it("fails at the end where a piece could not be told", async () => {
  const live = new LiveText(async () => {
    throw new Error("no database");
  }, 1);
  live.take("a");
  await new Promise(setImmediate);
  await expect(live.end()).rejects.toThrow("no database");
});
