import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createMeter, estimateTokens } from "./usage.ts";

const prompt: LanguageModelV4CallOptions["prompt"] = [{ role: "system", content: "x".repeat(300) }];
const unsaid: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

describe("tokens", () => {
  it("are those that the provider reported", () => {
    const usage = {
      inputTokens: { total: 25, noCache: 15, cacheRead: 10, cacheWrite: 0 },
      outputTokens: { total: 15, text: 15, reasoning: 0 },
    };
    expect(createMeter({ prompt }).fill(usage)).toBe(usage);
  });

  it("are estimated from what was said, in words, thoughts and calls, where it reported none", () => {
    const meter = createMeter({ prompt });
    meter.see({ type: "text-delta", id: "1", delta: "a".repeat(30) });
    meter.see({ type: "reasoning-delta", id: "2", delta: "b".repeat(30) });
    meter.see({ type: "tool-call", toolCallId: "3", toolName: "get_lead", input: '{"lead_id":"ld_1"}' });
    const { inputTokens, outputTokens, raw } = meter.fill(unsaid);
    expect(inputTokens.total).toBeGreaterThanOrEqual(100);
    expect(outputTokens.total).toBe(Math.ceil((60 + 26) / 3));
    expect(raw).toEqual({ estimated: true });
  });

  it("are estimated where what the provider reported is no count of anything", () => {
    const usage = {
      inputTokens: { total: -5, noCache: -5, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: Number.POSITIVE_INFINITY, text: 1, reasoning: 0 },
    };
    const { inputTokens, outputTokens } = createMeter({ prompt }).fill(usage);
    expect(inputTokens.total).toBeGreaterThanOrEqual(100);
    expect(outputTokens.total).toBe(0);
  });

  it("that go in count the tools and the schema too", () => {
    const tools: LanguageModelV4CallOptions["tools"] = [
      { type: "function", name: "get_lead", inputSchema: { type: "object", description: "y".repeat(300) } },
    ];
    const withTools = createMeter({ prompt, tools }).fill(unsaid).inputTokens.total ?? 0;
    expect(withTools).toBeGreaterThan((createMeter({ prompt }).fill(unsaid).inputTokens.total ?? 0) + 100);
  });

  it("are counted by bytes, so that other scripts are not cheaper", () => {
    expect([estimateTokens("abcdef"), estimateTokens("größer"), estimateTokens("信頼"), estimateTokens("")]).toEqual([
      2, 3, 2, 0,
    ]);
  });
});
