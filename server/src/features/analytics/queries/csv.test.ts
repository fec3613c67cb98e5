import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("writes lines that another reader reads as they were, and no formulas", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 2 }), (cells) => {
      const line = csvLine(cells);
      const [read] = parse(line, { relax_column_count: true, record_delimiter: "\r\n" }) as string[][];
      expect(read?.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ""))).toEqual(cells);
      for (const cell of read ?? []) expect(cell).not.toMatch(/^[=+\-@]/);
    }),
  );
  expect(csvLine(["=1+1", 'a "b", c', null, -1.5])).toBe(`'=1+1,"a ""b"", c",,-1.5\r\n`);
});
