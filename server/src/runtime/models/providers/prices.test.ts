import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, ownCost, type PriceTable, priceOf, priceTable } from "./prices.ts";

const tokens = (input: number, output: number, more: { cached?: number; cacheWrite?: number } = {}) => ({
  input,
  output,
  cached: 0,
  cacheWrite: 0,
  ...more,
});

describe("what a call costs", () => {
  const table: PriceTable = {
    sources: { sample: { address: "https://example.com/prices", as_of: "2026-11-01" } },
    prices: [
      {
        provider: "sample",
        name: "small",
        input: 2,
        cached: 0.5,
        cache_write: 3,
        output: 10,
        long: { above: 1000, input: 4, output: 15 },
      },
      { provider: "sample", name: "small-2026-01-01", input: 1, output: 1 },
    ],
  };

  it("counts plain, cached and written input and output each at its own price", () => {
    const cost = costOf("sample", "small", tokens(1000, 100, { cached: 300, cacheWrite: 200 }), table);
    expect(cost?.usd).toBeCloseTo((500 * 2 + 300 * 0.5 + 200 * 3 + 100 * 10) / 1e6, 12);
    expect(cost?.source).toBe("https://example.com/prices as of 2026-11-01");
  });

  it("counts every token at the price of long calls beyond their bound, and not at the bound itself", () => {
    expect(costOf("sample", "small", tokens(1001, 10, { cached: 1 }), table)?.usd).toBeCloseTo(
      (1001 * 4 + 10 * 15) / 1e6,
      12,
    );
    expect(costOf("sample", "small", tokens(1000, 10), table)?.usd).toBeCloseTo((1000 * 2 + 10 * 10) / 1e6, 12);
  });

  it("is that of the model for its dated snapshots, unless they have a price of their own", () => {
    const named = (name: string) => priceOf("sample", name, table)?.name;
    expect(["small", "small-20260405", "small-2026-04-05", "small-latest", "small-2026-01-01"].map(named)).toEqual([
      "small",
      "small",
      "small",
      "small",
      "small-2026-01-01",
    ]);
    expect(["small-2", "small-mini", "smaller", "sma"].map(named)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is unknown, not nothing, for a model without a price", () => {
    expect(costOf("openai-compatible", "llama3.2", tokens(1_000_000, 1))).toBeNull();
    expect(costOf("anthropic", "gpt-5", tokens(1, 1))).toBeNull();
  });
});

describe("the price table of this release", () => {
  it("names each model once, with where and when its prices were read", () => {
    const names = priceTable.prices.map(({ provider, name }) => `${provider}/${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { provider } of priceTable.prices)
      expect(priceTable.sources[provider]).toMatchObject({
        address: expect.stringMatching(/^https:/),
        as_of: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      });
  });

  it("prices cached input below other input, output above it, and long calls above short ones", () => {
    for (const { name, input, cached, output, long } of priceTable.prices) {
      expect([name, input > 0, (cached ?? 0) < input, output > input]).toEqual([name, true, true, true]);
      if (long) expect([name, long.input > input, long.output > output]).toEqual([name, true, true]);
    }
  });

  it("gives way to a price of one's own, by the million of tokens, cached or not", () => {
    const spent = tokens(2_000_000, 500_000, { cached: 1_000_000 });
    expect(ownCost({ input: 1.5, output: 4 }, spent)).toBe(5);
    expect(ownCost({ input: 0, output: 0 }, spent)).toBe(0);
  });

  it("never makes a call cheaper by more tokens", () => {
    const price = fc.constantFrom(...priceTable.prices);
    fc.assert(
      fc.property(
        price,
        fc.nat(500_000),
        fc.nat(500_000),
        fc.nat(10_000),
        ({ provider, name }, input, more, output) => {
          const usd = (count: number) => costOf(provider, name, tokens(count, output))?.usd ?? Number.NaN;
          return usd(input + more) >= usd(input);
        },
      ),
    );
  });
});
