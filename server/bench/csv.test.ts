import { expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

it("reads quoted cells with commas, line breaks and quotes, and empty ones", () => {
  expect(parseCsv('a,b\r\n"1,2","say ""no""\nnow"\n,x\n"",')).toEqual([
    ["a", "b"],
    ["1,2", 'say "no"\nnow'],
    ["", "x"],
    ["", ""],
  ]);
});

it("ends with or without a last line break alike", () => {
  expect(parseCsv("a\nb\n")).toEqual([["a"], ["b"]]);
  expect(parseCsv("a\nb")).toEqual([["a"], ["b"]]);
});
