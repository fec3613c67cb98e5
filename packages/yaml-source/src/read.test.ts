import { expect, it } from "vitest";
import { type FileWords, readYaml as readText, YAML_LIMITS } from "./read.ts";

const words: FileWords = { several: "One file, one thing.", empty: "Write something.", tooLarge: "Write less." };
const readYaml = (text: string) => readText(text, words);

const faultsOf = (text: string) => {
  const result = readYaml(text);
  return result.ok
    ? []
    : result.faults.map(({ code, pointer, line, column }) => `${code} ${pointer} ${line}:${column}`);
};
const read = (text: string): unknown => {
  const result = readYaml(text);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.source.value;
};

it("reads the core schema of YAML 1.2, in which `no` is text", () => {
  expect(read("a: no\nb: 1e3\nc: 0o17\nd: true\ne: ~\nf: 'x'\n1: one")).toEqual({
    a: "no",
    b: 1000,
    c: 15,
    d: true,
    e: null,
    f: "x",
    "1": "one",
  });
});

it("reads a file that begins with a byte order mark and one whose lines end with CR LF", () => {
  expect(read("\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n")).toEqual({ a: 1, b: "x\ny\n" });
});

it("writes aliases out, each with what its anchor meant where it stands", () => {
  expect(read("a: &x 1\nb: &y { c: &x 2, d: *x }\ne: &x 3\nf: *y\ng: *x")).toEqual({
    a: 1,
    b: { c: 2, d: 2 },
    e: 3,
    f: { c: 2, d: 2 },
    g: 3,
  });
});

it("says where broken text is broken", () => {
  expect(faultsOf("a: 1\n b: 2")).toEqual(["syntax  1:4"]);
  expect(faultsOf('a: "x')).toEqual(["syntax  1:6"]);
  expect(faultsOf("a:\n\t- 1")).toContain("syntax  2:1");
  expect(faultsOf("")).toEqual(["empty_file  1:1"]);
  expect(faultsOf("# nothing\n")).toEqual(["empty_file  1:1"]);
});

it("counts columns in characters, not in code units", () => {
  expect(faultsOf('{ "🦔🦔": *none }')).toEqual(["unknown_alias /🦔🦔 1:9"]);
});

it("takes a field once only, whatever the way it is written", () => {
  expect(faultsOf('a: 1\nb: { c: 1, "c": 2 }\na: 3')).toEqual(["duplicate_field /b/c 2:12", "duplicate_field /a 3:1"]);
});

it("takes `<<` in quotation marks as a name like any other, and merges nothing by it", () => {
  expect(read("a: &x { b: 1 }\nc: { \"<<\": *x, d: 2 }\n'<<': 3")).toEqual({
    a: { b: 1 },
    c: { "<<": { b: 1 }, d: 2 },
    "<<": 3,
  });
});

it.each([
  ["a: !secret x", "tag_refused  1:4"],
  ["a: !!binary aGk=", "tag_refused  1:4"],
  ["a: !!set { x }", "tag_refused  1:4"],
  ["%YAML 1.1\n---\na: no", "directive_refused  1:1"],
  ["%TAG ! tag:example.com,2026:\n---\na: 1", "directive_refused  1:1"],
  ["a: 1\n---\nb: 2", "several_documents  3:1"],
  ["a: &x { b: 1 }\nc:\n  <<: *x", "field_name /c/<< 3:3"],
  ["__proto__: { a: 1 }", "field_name /__proto__ 1:1"],
  ["? { a: 1 }\n: 2", "field_name  1:3"],
  ["a: .inf", "number_out_of_range /a 1:4"],
  ["a: 1e999", "number_out_of_range /a 1:4"],
  ["a: 9007199254740993", "number_out_of_range /a 1:4"],
  ['a: "x\\0"', "nul_character /a 1:4"],
  ['a: "\\uD800"', "lone_surrogate /a 1:4"],
  ['a: "\\uFFFF"', "noncharacter /a 1:4"],
  ["a: *none", "unknown_alias /a 1:4"],
  ["a: &x [ *x ]", "circular_alias /a/0 1:9"],
])("refuses %j with its place", (text, fault) => {
  expect(faultsOf(text)).toContain(fault);
});

it("refuses aliases that multiply, before they are written out", () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(", ")}]`,
  );
  expect(faultsOf(`l0: &l0 x\n${levels.join("\n")}`)).toEqual([expect.stringMatching(/^too_large /)]);
  const long = `a: &x ${"x".repeat(100_000)}\nb: [${Array(20).fill("*x").join(", ")}]`;
  expect(faultsOf(long)).toEqual([expect.stringMatching(/^too_large \/b\/9 /)]);
});

it("takes as many levels as a JSON body and no more", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(faultsOf(nested(YAML_LIMITS.depth))).toEqual([]);
  expect(faultsOf(nested(YAML_LIMITS.depth + 1))).toEqual([expect.stringMatching(/^too_deep /)]);
  const block = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  expect(faultsOf(block(YAML_LIMITS.depth))).toEqual([]);
  expect(faultsOf(block(YAML_LIMITS.depth + 1))).toEqual([expect.stringMatching(/^too_deep /)]);
});

it.each([
  "[",
  "- ",
  "? ",
  "{a: ",
  "a: ",
  "]",
  ",",
  "&a ",
  "!a ",
  "#\n",
  "%A b\n",
  "---\n",
  "- *a\n",
  '"',
  "a:\n",
  "k: 1\n",
])(
  "refuses a file of nothing but %j, soon and with no more faults than help",
  (part) => {
    const faults = faultsOf(part.repeat(Math.floor(1_000_000 / part.length)));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(100);
  },
  5_000,
);

it("refuses a text that is too long without reading it", () => {
  expect(faultsOf(`a: ${"x".repeat(YAML_LIMITS.characters)}`)).toEqual(["too_large  1:1"]);
});

it("gives up early on what it would refuse after much work: too many values, too many tags", () => {
  const many = YAML_LIMITS.values * 2 + 1;
  expect(faultsOf(`a: [${"b,".repeat(many)}]`)).toEqual([expect.stringMatching(/^too_large {2}1:\d+$/)]);
  expect(faultsOf(`a: [${"!b c,".repeat(100)}]`)).toEqual([expect.stringMatching(/^tag_refused {2}1:50\d$/)]);
});

it("takes no text for a tag that begins like one", () => {
  expect(readYaml(`a:\n${"  - |\n    !b\n".repeat(100)}`)).toMatchObject({ ok: true });
  expect(readYaml(`a:\n${'  - "!b"\n'.repeat(100)}`)).toMatchObject({ ok: true });
});

it("finds a place within a text that stands as it is, and the text's own where it is escaped", () => {
  const read = readYaml("a: one + two\nb: 'one + two'\nc: 'it''s one'\n");
  if (!read.ok) throw new Error("not read");
  const { locate } = read.source;
  expect(locate("/a", "value", 6)).toEqual({ line: 1, column: 10 });
  expect(locate("/b", "value", 6)).toEqual({ line: 2, column: 11 });
  expect(locate("/c", "value", 3)).toEqual({ line: 3, column: 4 });
});
