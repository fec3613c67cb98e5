import { expect, it } from "vitest";
import { jsonFindings } from "./json-reading.ts";

const found = (text: string, file = "cli/src/keep.ts") => jsonFindings([{ file, text }], {}).map(({ line }) => line);

it("finds parsed JSON that is taken for a type", () => {
  for (const text of [
    "const { id } = JSON.parse(text) as Row;",
    'const rows = (JSON.parse(await readFile(fileOf(dir), "a)")) as Row[]).map(idOf);',
    "return JSON.parse(text).id;",
    "const row: Row = JSON.parse(text);",
    "const row = parseJson(text) as Row;",
  ])
    expect([text, found(`\n${text}\n`)]).toEqual([text, [2]]);
});

it("lets unknown values pass, and in the server only those of its reader", () => {
  for (const text of ["const row: unknown = JSON.parse(text);", "use(JSON.parse(text) as unknown);"]) {
    expect(found(text)).toEqual([]);
    expect(found(text, "server/src/features/orders/store.ts")).toEqual([1]);
  }
  expect(found("const row = parseJson(text);", "server/src/features/orders/store.ts")).toEqual([]);
  expect(found("const row = JSON.parse(text) as Row;", "cli/src/keep.test.ts")).toEqual([]);
});

it("finds exceptions that are no longer needed", () => {
  expect(jsonFindings([], { "cli/src/keep.ts": "its own file" })).toHaveLength(1);
});
