import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataKinds } from "./classes.ts";
import { redact, restore, TooDeep } from "./redact.ts";
import { scanJson } from "./scan-json.ts";
import { corpus } from "./testing/corpus.ts";
import { iban } from "./testing/generators.ts";

const samples = corpus();
const values = samples.flatMap(({ expects }) => expects.map(({ value }) => value));
const pieces = fc.constantFrom(
  ...[
    "[email_1]",
    "[email_2]",
    "[payment_card_1]",
    "[withheld_1]",
    "[iban_",
    "_1]",
    "[",
    "]",
    " ",
    "-",
    "@",
    "+",
    "bsn ",
    "card ",
    "order ",
    ": ",
    "x".repeat(50),
    "__proto__",
  ],
);
const piece = fc.oneof(
  fc.constantFrom(...values),
  pieces,
  fc.string({ maxLength: 6 }),
  fc.constantFrom(...samples.map(({ text }) => text)),
);
const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
const number = fc.oneof(
  fc.constantFrom(111222333, 4111111111111111, 44051401359, 447700900123),
  fc.integer(),
  fc.double({ noNaN: true }),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, text, number, fc.boolean(), fc.constant(null), tie("list"), tie("members")),
  list: fc.array(tie("json"), { maxLength: 4 }),
  members: fc.dictionary(fc.oneof(text, fc.constantFrom("bsn", "card_number", "phone", "id")), tie("json"), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));

describe("redaction", () => {
  it("is undone exactly by restoring, for any JSON value", () => {
    fc.assert(
      fc.property(json, (value) => {
        const { value: redacted, replaced } = redact(value);
        expect(restore(redacted, replaced)).toStrictEqual(value);
      }),
    );
  });

  it("is undone after the value went through JSON text, map and all", () => {
    fc.assert(
      fc.property(json, (value) => {
        const { value: redacted, replaced } = JSON.parse(JSON.stringify(redact(value)));
        expect(restore(redacted, replaced)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("leaves nothing behind that a scan would find", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(scanJson(redact(value).value).findings).toEqual([]);
      }),
    );
  });

  it("leaves no value of the corpus that stands once in its text", () => {
    for (const { text, expects } of samples) {
      const redacted = String(redact(text).value);
      for (const { value } of expects) if (text.split(value).length === 2) expect(redacted).not.toContain(value);
    }
  });

  it("gives the same placeholder to the same value, and another to another", () => {
    const { value, replaced } = redact({
      to: "a@example.com",
      cc: ["b@example.com", "a@example.com"],
      text: "a@example.com, b@example.com",
    });
    expect(value).toEqual({ to: "[email_1]", cc: ["[email_2]", "[email_1]"], text: "[email_1], [email_2]" });
    expect(replaced).toEqual({ "[email_1]": "a@example.com", "[email_2]": "b@example.com" });
  });

  it("does not give out placeholders that stand in the value already", () => {
    const { value, replaced } = redact(["[email_1] is what I wrote", "a@example.com", { "[email_2]": 1 }]);
    expect(value).toEqual(["[email_1] is what I wrote", "[email_3]", { "[email_2]": 1 }]);
    expect(restore(value, replaced)).toEqual(["[email_1] is what I wrote", "a@example.com", { "[email_2]": 1 }]);
  });

  it("gives numbers back as numbers, and as text within a sentence", () => {
    const { value, replaced } = redact({ card_number: 4111111111111111 });
    expect(value).toEqual({ card_number: "[payment_card_1]" });
    expect(restore(value, replaced)).toEqual({ card_number: 4111111111111111 });
    expect(restore("charged [payment_card_1].", replaced)).toBe("charged 4111111111111111.");
  });

  it("redacts names of members", () => {
    const { value, replaced } = redact({ "a@example.com": { seen: true } });
    expect(value).toEqual({ "[email_1]": { seen: true } });
    expect(restore(value, replaced)).toEqual({ "a@example.com": { seen: true } });
  });

  it("redacts only the kinds that are asked for, by name or by findings", () => {
    const value = "a@example.com pays by 4111 1111 1111 1111";
    expect(redact(value, ["payment_card"]).value).toBe("a@example.com pays by [payment_card_1]");
    expect(redact(value, scanJson(value).findings).value).toBe("[email_1] pays by [payment_card_1]");
    expect(redact(value, []).value).toBe(value);
  });

  it("replaces a number that only comes near its word because something between them was replaced", () => {
    const between = `${"long.local.part.of.an.address"}@${"sub.".repeat(5)}example.com`;
    const { value, replaced } = redact(`bsn of ${between}: 111222333`);
    expect(value).toBe("bsn of [email_1]: [national_id_1]");
    expect(restore(value, replaced)).toBe(`bsn of ${between}: 111222333`);
  });

  it("withholds a whole text that stays unclean after some rounds", () => {
    // Every round brings one more of the ibans near enough to the word; the last of them hides, by the "part" in it, that a card follows.
    const ibans = Array.from({ length: 5 }, (_, n) => iban("MT", `PART${String(n).repeat(23)}`).toLowerCase());
    const chain = `iban ${ibans.join(" ")} 4111111111111111`;
    const { value, replaced } = redact([chain, "a@example.com"]);
    expect(value).toEqual(["[withheld_1]", "[email_1]"]);
    expect(restore(value, replaced)).toEqual([chain, "a@example.com"]);
  });

  it("leaves placeholders alone that the call did not give out", () => {
    expect(restore(["[email_7]", "[constructor_1]"], { "[email_1]": "a@example.com" })).toEqual([
      "[email_7]",
      "[constructor_1]",
    ]);
  });

  it("refuses values that nest too deeply, rather than to leave a part as it is", () => {
    let deep: unknown = "a@example.com";
    for (let level = 0; level < 250; level++) deep = [deep];
    expect(() => redact(deep)).toThrow(TooDeep);
  });

  it("names placeholders after every kind", () => {
    const one = dataKinds.map(
      (kind) => samples.find(({ expects }) => expects.length === 1 && expects[0]!.kind === kind)!.text,
    );
    const labels = Object.keys(redact(one).replaced).map((placeholder) =>
      placeholder.slice(1, placeholder.lastIndexOf("_")),
    );
    expect(new Set(labels)).toEqual(new Set(dataKinds));
  });
});
