import { describe, expect, it } from "vitest";
import { readCsv } from "./csv.ts";

describe("reading CSV", () => {
  it("names the fields of each row by the header", () => {
    expect(readCsv("id,name\n1,Amber\n2,Birch\n")).toEqual([
      { id: "1", name: "Amber" },
      { id: "2", name: "Birch" },
    ]);
  });

  it("takes commas, doubled quotes and line ends inside quotes", () => {
    expect(readCsv('a,b\r\n"one, two","He said ""no"".\nThen left."\r\n')).toEqual([
      { a: "one, two", b: 'He said "no".\nThen left.' },
    ]);
  });

  it("keeps empty fields, also the last one, with and without a line end behind it", () => {
    expect(readCsv("a,b,c\n,,\n1,,")).toEqual([
      { a: "", b: "", c: "" },
      { a: "1", b: "", c: "" },
    ]);
  });

  it("passes over a byte order mark and empty lines", () => {
    expect(readCsv("\ufeffa,b\n\n1,2\n\n")).toEqual([{ a: "1", b: "2" }]);
    expect(readCsv("")).toEqual([]);
  });

  it.each([
    ['a,b\n1,2\n"3,4\n', "line 3"],
    ['a,b\n"x"y,2\n', "line 2"],
    ['a,b\n"1\n2",x\n1,2,3\n', "line 4 has 3 fields; the header has 2"],
  ])("names the line where %j is broken", (text, words) => {
    expect(() => readCsv(text)).toThrow(words);
  });
});
