import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "./bundle.fixture.ts";
import type { DiffHunk, TextDiff } from "./diff-schemas.ts";
import { diffText } from "./text-diff.ts";

/** What `patch` does: takes the lines that the hunks say are there, refuses others, and puts in what they say comes instead. */
function patched(before: string, { hunks }: TextDiff): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let result = "";
  let done = 0;
  for (const hunk of hunks) {
    const from = hunk.before_lines === 0 ? hunk.before_start : hunk.before_start - 1;
    result += lines.slice(done, from).join("");
    const put = hunk.lines.map(({ op, text, no_newline }) => ({ op, line: no_newline ? text : `${text}\n` }));
    expect(put.filter(({ op }) => op !== "added").map(({ line }) => line)).toEqual(
      lines.slice(from, from + hunk.before_lines),
    );
    result += put.flatMap(({ op, line }) => (op === "removed" ? [] : [line])).join("");
    done = from + hunk.before_lines;
  }
  return result + lines.slice(done).join("");
}

const fewLines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 30 }).map((lines) => lines.join(""));
const anyPair = fc.oneof(fc.tuple(fewLines, fewLines), fc.tuple(anyText, anyText));

it("leads from one text to the other, and back", () => {
  fc.assert(
    fc.property(anyPair, ([before, after]) => {
      expect(patched(before, diffText(before, after))).toBe(after);
      expect(patched(after, diffText(after, before))).toBe(before);
    }),
  );
});

it("is empty exactly for equal texts", () => {
  fc.assert(
    fc.property(anyPair, ([before, after]) => {
      expect(diffText(before, after).hunks.length === 0).toBe(before === after);
      expect(diffText(before, before).hunks).toEqual([]);
    }),
  );
});

/** Lines in common at most: the textbook table of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i]![j] = a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
  return table[a.length]![b.length]!;
}

it("is as short as can be", () => {
  fc.assert(
    fc.property(fewLines, fewLines, (before, after) => {
      const [a, b] = [before.match(/.*\n/g) ?? [], after.match(/.*\n/g) ?? []];
      const { added, removed } = diffText(before, after);
      expect(added + removed).toBe(a.length + b.length - 2 * longestCommon(a, b));
    }),
  );
});

it("counts the lines of both texts in each hunk", () => {
  fc.assert(
    fc.property(fewLines, fewLines, (before, after) => {
      for (const hunk of diffText(before, after).hunks) {
        expect(hunk.lines.filter(({ op }) => op !== "added")).toHaveLength(hunk.before_lines);
        expect(hunk.lines.filter(({ op }) => op !== "removed")).toHaveLength(hunk.after_lines);
      }
    }),
  );
});

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);
const shown = ({ before_start, before_lines, after_start, after_lines, lines }: DiffHunk): string =>
  [
    `@@ -${before_start},${before_lines} +${after_start},${after_lines} @@`,
    ...lines.map(
      ({ op, text, no_newline }) => `${{ same: " ", removed: "-", added: "+" }[op]}${text}${no_newline ? "∎" : ""}`,
    ),
  ].join("\n");

it("shows three lines around each change, and changes that are near as one hunk", () => {
  const after = numbered(30);
  after[4] = "five\n";
  after[10] = "eleven\n";
  after.splice(25, 1);
  expect(diffText(numbered(30).join(""), after.join("")).hunks.map(shown)).toEqual([
    "@@ -2,13 +2,13 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8\n line 9\n line 10\n-line 11\n+eleven\n line 12\n line 13\n line 14",
    "@@ -23,7 +23,6 @@\n line 23\n line 24\n line 25\n-line 26\n line 27\n line 28\n line 29",
  ]);
});

it("shows a line feed that was added at the end", () => {
  expect(diffText("a\nb", "a\nb\n").hunks.map(shown)).toEqual(["@@ -1,2 +1,2 @@\n a\n-b∎\n+b"]);
  expect(diffText("", "a\n").hunks.map(shown)).toEqual(["@@ -0,0 +1,1 @@\n+a"]);
});

it("answers for long texts that have nothing in common, as replaced whole", () => {
  const [before, after] = [Array(50_000).fill("a").join("\n"), Array(50_000).fill("b").join("\n")];
  const { added, removed, hunks } = diffText(before, after);
  expect([added, removed, hunks.length]).toEqual([50_000, 50_000, 1]);
}, 5_000);
