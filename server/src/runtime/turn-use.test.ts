import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../testing/models.ts";
import { memoryPort, runLoop } from "./loop.fixture.ts";

const costOf = ({ input, output }: { input: number; output: number }): number => (input + 10 * output) / 1e6;
const failure = Object.assign(new Error("The server is overloaded: try again later."), { code: "provider_overloaded" });

/** A stream that says these parts and then fails, or says nothing more. */
const breaking = (parts: readonly LanguageModelV4StreamPart[], then: "fails" | "hangs") =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (then === "fails") controller.enqueue({ type: "error", error: failure });
    },
  });
const said: readonly LanguageModelV4StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "x".repeat(300) },
];
type Used = { readonly steps: number; readonly tokens: number; readonly usd: number };

describe("a turn that breaks off", () => {
  it("costs nothing where its provider refuses it", async () => {
    const port = memoryPort();
    await runLoop(
      scriptedModel(() => Promise.reject(failure)),
      { port, costOf },
    );
    expect(port.settled).toEqual([{ steps: 1, tokens: 0, usd: 0 }]);
  });

  it("costs nothing where its provider fails before it has said anything", async () => {
    const port = memoryPort();
    await runLoop(
      scriptedModel(() => ({ stream: breaking(said.slice(0, 1), "fails") })),
      { port, costOf },
    );
    expect(port.settled).toEqual([{ steps: 1, tokens: 0, usd: 0 }]);
  });

  it("costs what it was shown and what it has written where its provider fails in the middle", async () => {
    const port = memoryPort();
    await runLoop(
      scriptedModel(() => ({ stream: breaking(said, "fails") })),
      { port, costOf },
    );
    const [used] = port.settled as [Used];
    expect(used.tokens).toBeGreaterThan(100);
    expect(used.usd).toBeCloseTo((used.tokens - 100 + 10 * 100) / 1e6, 9);
  });

  it("costs what its provider reported, also where it fails after that", async () => {
    const port = memoryPort();
    const finish = {
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: { inputTokens: { total: 40 }, outputTokens: { total: 2 } },
    } as LanguageModelV4StreamPart;
    await runLoop(
      scriptedModel(() => ({ stream: breaking([...said, finish], "fails") })),
      { port, costOf },
    );
    expect(port.settled).toEqual([{ steps: 1, tokens: 42, usd: 0.00006 }]);
  });

  it("costs what it has written where its run is broken off, and is charged once", async () => {
    const port = memoryPort();
    const cancelled = new AbortController();
    const model = scriptedModel(() => ({ stream: breaking(said, "hangs") }));
    const running = runLoop(model, { port, costOf, signal: cancelled.signal });
    setImmediate(() => cancelled.abort(new Error("cancelled")));
    await expect(running).rejects.toThrow("cancelled");
    expect(port.settled).toEqual([{ steps: 1, tokens: expect.any(Number), usd: expect.any(Number) }]);
    expect((port.settled as [Used])[0].usd).toBeGreaterThan(0.001);
  });

  it("is charged before it is known whether anybody still wants it", async () => {
    const port = memoryPort({ tell: async () => ({ kind: "lost" }) });
    const ended = await runLoop(
      scriptedModel(() => ({ text: "{}" }), { tokens: { input: 10, output: 5 } }),
      { port, costOf },
    );
    expect(ended).toEqual({ kind: "lost" });
    expect(port.settled).toEqual([{ steps: 1, tokens: 15, usd: 0.00006 }]);
  });
});
