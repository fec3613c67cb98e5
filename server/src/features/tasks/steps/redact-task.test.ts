import { type Replaced, restore } from "@aos/data-classes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideKnown, redactForTask } from "./redactions.ts";

const all = { kinds: "all" } as const;

describe("redaction for a task", () => {
  it("keeps the placeholder that a value has, and numbers new ones on", () => {
    const first = redactForTask({ text: "write to ann@example.com" }, all, {});
    expect(first).toEqual({ value: { text: "write to [email_1]" }, added: { "[email_1]": "ann@example.com" } });
    const next = redactForTask({ to: "bob@example.com", cc: "ann@example.com" }, all, first.added);
    expect(next).toEqual({ value: { to: "[email_2]", cc: "[email_1]" }, added: { "[email_2]": "bob@example.com" } });
  });

  it("gives no placeholder out that stands in a value by itself", () => {
    const known: Replaced = { "[email_1]": "ann@example.com" };
    const { value, added } = redactForTask({ said: "see [email_2]", by: "bob@example.com" }, all, known);
    expect(value).toEqual({ said: "see [email_2]", by: "[email_3]" });
    expect(added).toEqual({ "[email_3]": "bob@example.com" });
  });

  it("replaces only the kinds that are asked for", () => {
    const value = { mail: "ann@example.com", iban: "DE89370400440532013000" };
    expect(redactForTask(value, { kinds: ["iban"] }, {}).value).toEqual({ mail: "ann@example.com", iban: "[iban_1]" });
    expect(redactForTask(value, { kinds: [] }, {})).toEqual({ value, added: {} });
  });

  it("over any sequence of values gives each back exactly, and one value one placeholder", () => {
    const mail = fc.constantFrom("ann@example.com", "bob@example.com", "eve@example.com", "dan@example.com");
    const iban = fc.constantFrom("DE89370400440532013000", "GB82WEST12345698765432");
    const value = fc.record({ a: fc.array(fc.oneof(mail, iban), { maxLength: 4 }), b: mail });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const known: Record<string, string | number> = {};
        const seen = values.map((one) => {
          const { value: redacted, added } = redactForTask(one, all, known);
          for (const [placeholder, original] of Object.entries(added)) {
            expect(known).not.toHaveProperty([placeholder]);
            known[placeholder] = original;
          }
          return redacted;
        });
        expect(JSON.stringify(seen)).not.toMatch(/example\.com|DE89|GB82/);
        expect(restore(seen, known)).toEqual(values);
        expect(new Set(Object.values(known)).size).toBe(Object.keys(known).length);
      }),
    );
  });
});

it("what stands behind placeholders is hidden in a text whole, also where one value is part of another", () => {
  const known: Replaced = { "[email_1]": "ann@example.com", "[email_2]": "joann@example.com" };
  expect(hideKnown("joann@example.com or ann@example.com", known)).toBe("[email_2] or [email_1]");
});
