import { expect, it } from "vitest";
import { csvOf, rowsOfCsv } from "./csv.ts";

const rows = [
  ["agent", "share", "note"],
  ["=cmd()", -0.5, 'says "no", twice'],
  ["sales", null, "two\nlines"],
];

it("writes rows that a spreadsheet reads as they are: no text becomes a formula", () => {
  expect(csvOf(rows)).toBe('agent,share,note\r\n\'=cmd(),-0.5,"says ""no"", twice"\r\nsales,,"two\nlines"\r\n');
});

it("reads them again, with or without an end of the last line", () => {
  const read = [
    ["agent", "share", "note"],
    ["'=cmd()", "-0.5", 'says "no", twice'],
    ["sales", "", "two\nlines"],
  ];
  expect(rowsOfCsv(csvOf(rows))).toEqual(read);
  expect(rowsOfCsv(csvOf(rows).trimEnd())).toEqual(read);
  expect(rowsOfCsv("")).toEqual([]);
});
