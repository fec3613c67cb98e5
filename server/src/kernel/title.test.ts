import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTitle, titleOf } from "./title.ts";

describe("a title", () => {
  const refund = "Refund {{order_id}} · {{amount | money}}";

  it("puts fields of the input into its template, each as its formatter writes it", () => {
    expect(titleOf(refund, { order_id: "A-7802", amount: 240 })).toBe("Refund A-7802 · $240");
    expect(titleOf(refund, { order_id: "A-7802", amount: "1240.5" })).toBe("Refund A-7802 · $1,240.50");
    const customer = { name: "Ada", since: "2026-11-22T08:00:00Z" };
    expect(
      titleOf("{{customer/name}}, {{/customer/since|date}}, {{items/0/n | number}}", {
        customer,
        items: [{ n: 12_000 }],
      }),
    ).toBe("Ada, 2026-11-22, 12,000");
  });

  it("shows a dash for what is absent or no single value, and is none where nothing of it is there", () => {
    expect(titleOf(refund, { order_id: "A-7802" })).toBe("Refund A-7802 · –");
    expect(titleOf(refund, { order_id: { a: 1 }, amount: null })).toBeNull();
    expect(titleOf("{{__proto__/x}}{{constructor}}", {})).toBeNull();
    expect(titleOf("Nightly report", {})).toBe("Nightly report");
    expect(titleOf(undefined, {})).toBeNull();
  });

  it("is one line of at most 120 characters that all show, whatever the input", () => {
    expect(titleOf("To {{name}}", { name: "a\u202eb\u0000c\n d\ud800" })).toBe("To a b c d");
    expect([...(titleOf("{{name}}", { name: "🙂".repeat(500) }) ?? "")]).toHaveLength(120);
    fc.assert(
      fc.property(fc.anything(), fc.string(), (input, format) => {
        const title = titleOf(`{{a}} {{b/0 | money}} {{c|${format}}}`, input);
        expect(title === null || ([...title].length <= 120 && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(title))).toBe(true);
      }),
    );
  });

  it("reads of a template which fields it takes, and whether a brace belongs to none", () => {
    expect(readTitle(refund)).toEqual({
      places: [
        { path: ["order_id"], field: "order_id", format: null },
        { path: ["amount"], field: "amount", format: "money" },
      ],
      broken: false,
    });
    for (const text of ["{{}}", "{{a", "a}}", "{{a|money|date}}", "{{a/~2}}", "{{{a}}}"])
      expect([text, readTitle(text).broken]).toEqual([text, true]);
  });
});
