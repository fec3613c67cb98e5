import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compileLinearPattern,
  LONGEST_TEXT,
  PatternRefused,
  PatternsTooCostly,
  withPatternBudget,
} from "./linear-pattern.ts";

const atom = fc.constantFrom(
  "a",
  "b",
  "é",
  "😀",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\s",
  "\\S",
  "\\0",
  "\\p{L}",
  "\\p{Script=Latin}",
  "\\u0061",
  "\\u{1F600}",
  "\\.",
  "[\\]a-c]",
);
/** Classes of whatever ECMAScript takes between brackets. */
const members = [
  "a",
  "b",
  "-",
  "^",
  "[",
  "&",
  ".",
  "(?<",
  "{2}",
  "\\]",
  "\\-",
  "\\s",
  "\\S",
  "\\d",
  "\\W",
  "\\b",
  "\\cJ",
  "😀",
  "a-c",
  "\\u0061-\\x63",
];
const characterClass = fc
  .tuple(fc.constantFrom("[", "[^"), fc.array(fc.constantFrom(...members), { maxLength: 4 }))
  .map(([open, all]) => `${open}${all.join("")}]`)
  .filter((source) => {
    try {
      return new RegExp(source, "u") !== null;
    } catch {
      return false;
    }
  });
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small" },
    tie("term"),
    fc.tuple(tie("pattern"), tie("pattern")).map((two) => two.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map((two) => `(?:${two.join("|")})`),
    tie("pattern").map((one) => `^${one}`),
    tie("pattern").map((one) => `\\b${one}`),
    tie("pattern").map((one) => `${one}\\b`),
    tie("pattern").map((one) => `${one}$`),
  ),
  term: fc
    .tuple(
      fc.oneof(
        { depthSize: "small" },
        atom,
        characterClass,
        tie("pattern").map((one) => `(${one})`),
      ),
      fc.constantFrom("", "", "*", "+", "?", "*?", "{2}", "{1,}", "{0,2}"),
    )
    .map((two) => two.join("")),
}));
const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    "c",
    "1",
    " ",
    "\n",
    "é",
    "😀",
    ".",
    "]",
    "-",
    "[",
    "^",
    "(",
    "\u00a0",
    "\u2028",
    "\b",
    "\0",
    "\ud83d",
  ),
  maxLength: 12,
});

describe("linear patterns", () => {
  it("match what the native engine matches", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        const ours = compileLinearPattern(source);
        const native = new RegExp(source, "u");
        for (const one of texts) expect(ours.test(one), `${source} on ${JSON.stringify(one)}`).toBe(native.test(one));
      }),
    );
  });

  it("match ids, dates and amounts as their authors expect", () => {
    const cases: [string, string[], string[]][] = [
      ["^ld_", ["ld_1", "ld_"], ["xld_", "LD_1", ""]],
      ["^(?<year>\\d{4})-(0[1-9]|1[0-2])$", ["2026-12"], ["2026-13", "2026-1"]],
      ["^[A-Z]{2}\\d{2}([A-Z0-9]{4}){2,7}$", ["DE89370400440532"], ["DE8937040044053", "de89370400440532"]],
      ["", ["", "anything"], []],
      ["$^", [""], ["a"]],
      ["a$b", [], ["ab", "a"]],
    ];
    for (const [source, yes, no] of cases) {
      const compiled = compileLinearPattern(source);
      for (const one of yes) expect(compiled.test(one), `${source} on ${one}`).toBe(true);
      for (const one of no) expect(compiled.test(one), `${source} on ${one}`).toBe(false);
    }
  });

  it("take no longer on the patterns and texts that make engines backtrack", () => {
    const hostile = [
      "^(a+)+$",
      "^(a|a)*$",
      "^(a|aa)+$",
      "a*a*a*a*b",
      "(.*)*x",
      "^(([a-z])+.)+[A-Z]([a-z])+$",
      "(a?){50}a{50}b",
      "^(?:a?){200}b$",
    ];
    const start = performance.now();
    for (const source of hostile)
      expect(compileLinearPattern(source).test(`${"a".repeat(LONGEST_TEXT - 1)}!`), source).toBe(false);
    // Backtracking would need longer than the age of the universe for most of them.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("keep their memory bounded while every character is another one", () => {
    const compiled = compileLinearPattern("^(?:[^x]|xy)*z$");
    const all = Array.from({ length: 16_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("");
    expect(compiled.test(`${all}z`)).toBe(true);
    expect(compiled.test(all)).toBe(false);
  });

  it("refuse what takes more than linear time, and what is too large, with place and reason", () => {
    const refused: [string, RegExp][] = [
      ["(a)\\1", /^`\\1` at character 4: a back-reference/],
      ["(?<n>a)\\k<n>", /^`\\k<n>` at character 8: a back-reference/],
      ["b(?=a)", /^`\(\?=` at character 2: lookahead/],
      ["(?!a)", /lookahead/],
      ["(?<=a)b", /lookbehind/],
      ["(?<!a)b", /lookbehind/],
      ["a(?i:b)", /^`\(\?i:` at character 2: modifiers/],
      ["^\\p{Letter}", /^`\\p\{Letter\}` is not known/],
      ["(", /no valid/],
      ["a**", /no valid/],
      ["a{1001}", /too large/],
      [`(?:${"a?".repeat(200)}){999}`, /too large/],
      ["((a{50}){50}){50}", /too large/],
      ["(((?:){1000}){1000}){1000}", /too large/],
      [`[${"\\p{L}\\P{N}".repeat(40)}]{900}`, /too large/],
      ["\\p{L}".repeat(101), /too large|at most 512/],
      ["a".repeat(513), /at most 512/],
    ];
    for (const [source, reason] of refused) {
      expect(() => compileLinearPattern(source), source.slice(0, 30)).toThrow(PatternRefused);
      expect(() => compileLinearPattern(source), source.slice(0, 30)).toThrow(reason);
    }
  });

  it("count classes of many ranges as the work that they are", () => {
    const pattern = compileLinearPattern("\\p{L}".repeat(80));
    expect(() => withPatternBudget(() => pattern.test("a".repeat(16_000)))).toThrow(PatternsTooCostly);
    expect(withPatternBudget(() => compileLinearPattern("^\\p{L}{1,64}$").test("Müller"))).toBe(true);
  });

  it("match no text of more than 16384 characters", () => {
    expect(compileLinearPattern("^a").test("a".repeat(LONGEST_TEXT))).toBe(true);
    expect(compileLinearPattern("^a").test("a".repeat(LONGEST_TEXT + 1))).toBe(false);
  });
});
