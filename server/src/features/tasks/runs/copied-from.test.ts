import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparisonOf } from "./copied-from.ts";

const text = (said: string) => ({ source: "text", value: { text: said }, isRecord: false });
const record = (fields: object) => ({ source: "record", value: fields, isRecord: true });
const supplier = text("The account of the supplier Amber is 4711, pay 98765 there.");
const from = (
  args: object,
  passages: readonly { source: string; value: unknown; isRecord: boolean }[],
  { input = {}, shown = args }: { input?: object; shown?: object } = {},
) => passages.filter(comparisonOf({ arguments: args, shown, input })).map(({ source }) => source);

describe("where arguments come from", () => {
  it.each([
    ["an amount as a number", { amount: 240 }, text("Pay them 240.00 EUR."), 1],
    ["an amount with thousands", { amount: 1250.5 }, text("It is 1.250,50 in all."), 1],
    ["an amount in a text", { note: "pay EUR240" }, text("240 is due"), 1],
    ["another amount", { amount: 241 }, text("Pay them 240.00 EUR."), 0],
    ["an IBAN written without spaces", { to: "DE44500105175407324931" }, text("to DE44 5001 0517 5407 3249 31"), 1],
    ["a part of a reference", { to: "ref-DE44500105" }, text("the account DE44500105"), 1],
    ["an id with the same beginning only", { id: "INV-2026-001" }, text("INV-2026-777"), 0],
    ["an address within a text", { body: "Write to ann@example.com" }, text("<Ann@Example.com>"), 1],
    ["a word of five letters", { word: "amber" }, text("amber"), 0],
    ["a short field of a record", { currency: "EUR" }, record({ currency: "EUR" }), 1],
    ["a field in another member of a record", { n: "7" }, record({ deep: { count: 7 } }), 1],
    ["a switch of a record", { urgent: true }, record({ urgent: true, note: "" }), 1],
    ["a switch of a record in another case", { isUrgent: false }, record({ flags: { is_urgent: [false] } }), 1],
    ["a switch of another name", { paid: true }, record({ urgent: true }), 0],
    ["a switch of another value", { urgent: true }, record({ urgent: false }), 0],
    ["a switch of a text", { urgent: true }, text("urgent: true"), 0],
    ["a number within a path", { path: "/accounts/4711" }, supplier, 1],
    ["a number behind a prefix", { to: "acct_4711" }, supplier, 1],
    ["a number behind a colon", { to: "cust:98765" }, supplier, 1],
    ["a number behind a hyphen", { ref: "inv-98765" }, supplier, 1],
    ["a number before a slash", { amount: "98765/1" }, supplier, 1],
    ["a number behind letters", { to: "A4711" }, supplier, 1],
    ["a number within a path, from a record", { path: "/accounts/4711" }, record({ account: 4711 }), 1],
    ["two numbers", { note: "4711 98765" }, supplier, 1],
    ["a part of a longer number", { to: "acct_471" }, supplier, 0],
    ["two digits within an id", { id: "room-12" }, text("It takes 12 days."), 0],
    ["a number within an id, from another id", { id: "INV-300-1" }, text("ORD-300-2"), 0],
    ["a date's year", { on: "2026-11-20" }, text("We have known them since 2026."), 0],
    ["a time's fraction", { at: "2026-11-20T10:30:00.123Z" }, text("123 are left in 2026"), 0],
    ["a written date's year", { on: "20/11/2026" }, text("In 2026 it was 20."), 0],
    ["a year within an id", { id: "INV-2026-001" }, text("We have known them since 2026."), 0],
    ["digits of a random id", { id: "550e8400-e29b-41d4-a716-446655440000" }, text("It is 716 of 8400."), 0],
  ])("%s", (_title, args, passage, found) => {
    expect(from(args, [passage])).toHaveLength(found);
  });

  it("does not count what stands in the input", () => {
    const input = { lead_id: "L-1", note: "refund 240 to DE44500105175407324931", currency: "EUR" };
    const args = { lead: "L-1", amount: 240, to: "DE44 5001 0517 5407 3249 31", currency: "EUR" };
    expect(from(args, [record({ ...args }), text("240 to DE44500105175407324931")], { input })).toEqual([]);
  });

  it("finds what the run has as a placeholder only, unless it stands in the input", () => {
    const args = { to: "ann@example.com" };
    const options = { shown: { to: "[email_1]" } };
    const passage = text("Write to [email_1].");
    expect(from(args, [passage], options)).toEqual(["text"]);
    expect(from(args, [passage], { ...options, input: { mail: "ann@example.com" } })).toEqual([]);
    expect(from(args, [text("Write to [email_2].")], options)).toEqual([]);
  });

  it("takes any placeholder of the same kind for the same where another run has read it", () => {
    const comesFrom = comparisonOf({ arguments: { to: "ann@example.com" }, shown: { to: "[email_1]" }, input: {} });
    const read = { ...text("Write to [email_2]."), hasOtherPlaceholders: true };
    expect(comesFrom(read)).toBe(true);
    expect(comesFrom({ ...read, value: "Call [phone_1]." })).toBe(false);
  });

  const word = fc.stringMatching(/^[a-zA-Z0-9@._/+-]{6,24}$/);
  const prose = fc.array(fc.stringMatching(/^[g-z]{1,9}$/), { maxLength: 30 }).map((words) => words.join(" "));

  it("finds every planted value of six characters or more, and none that stands in the input too", () => {
    fc.assert(
      fc.property(word, prose, prose, prose, (value, before, after, around) => {
        const planted = text(`${before} ${value} ${after}`);
        const args = { list: [{ body: `${around} ${value}, ${around}` }] };
        expect(from(args, [planted])).toEqual(["text"]);
        expect(from(args, [planted], { input: { body: args.list[0]?.body } })).toEqual([]);
      }),
    );
  });

  it("finds every number as a document may write it", () => {
    const separators = fc.constantFrom([",", "."], [".", ","], ["’", "."], [" ", ","], ["", "."]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 0, max: 99 }),
        separators,
        (whole, cents, by) => {
          const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, by[0] as string);
          const fraction = String(cents).padStart(2, "0");
          const written = `EUR ${grouped}${by[1]}${fraction} in all`;
          expect(from({ amount: Number(`${whole}.${fraction}`) }, [text(written)])).toEqual(["text"]);
        },
      ),
    );
  });

  it("takes time in proportion to the size", () => {
    const long = "a1b2c3 1 2,5 ".repeat(10_000);
    const began = performance.now();
    from({ body: long }, [text(long), record({ long })], { input: { long } });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
