import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSlices, operationsOf } from "../../server/src/features/load.ts";
import { componentFindings, sliceFindings } from "./slices.ts";
import type { Source } from "./sources.ts";

const root = path.resolve(import.meta.dirname, "../..");
const notes = "server/src/features/notes/";
const found = (...files: readonly (readonly [string, string])[]): string[] =>
  sliceFindings(files.map(([file, text]): Source => ({ file, text }))).map(
    ({ file, line, what }) => `${file}:${line}: ${what}`,
  );
const slice = [`${notes}slice.ts`, "export const slice = defineSlice({});"] as const;

describe("a tree that registration would pass over", () => {
  it("is told of a folder without slice.ts", () => {
    expect(found([`${notes}store.ts`, ""])).toEqual([expect.stringContaining(`${notes}slice.ts:1: is missing`)]);
    expect(found(slice, [`${notes}store.ts`, ""])).toEqual([]);
  });

  it.each(["defineRead({", "defineList({", "defineInside<Input, Result>({", "notes.readOperation({"])(
    "is told of %s outside an operations folder, or where it is not exported",
    (text) => {
      const [exported, kept] = [`export const listNotes = ${text}`, `\nconst listNotes: Operation = ${text}`];
      expect(found(slice, [`${notes}operations/list-notes.ts`, exported])).toEqual([]);
      expect(found(slice, [`${notes}list-notes.ts`, exported])).toEqual([
        expect.stringContaining(`${notes}list-notes.ts:1: declares an operation that is not registered: move it`),
      ]);
      expect(found(slice, [`${notes}operations/list-notes.ts`, kept])).toEqual([
        expect.stringContaining("list-notes.ts:2: declares an operation that is not registered: export it"),
      ]);
    },
  );

  it("is told of a table that schema.sql lacks, but not of one that was dropped or renamed", () => {
    const schema = ["server/src/db/schema.sql", "create table notes (\n  id text\n);"] as const;
    const migration = (text: string) => ["server/src/db/migrations/0001_notes.sql", text] as const;
    expect(found(schema, migration("create table notes (id text);"))).toEqual([]);
    expect(found(schema, migration("\ncreate table shelves (id text);"))).toEqual([
      "server/src/db/migrations/0001_notes.sql:2: makes the table shelves, which is missing from server/src/db/schema.sql: run npm run gen -- --schema",
    ]);
    const gone = "create table a (id text);\ncreate table b (id text);\ncreate table n (id text);\ndrop table a, b;\n";
    expect(found(schema, migration(`${gone}alter table n rename to notes;`))).toEqual([]);
  });
});

describe("a folder of slices", () => {
  let folder: string;
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  const kernel = path.join(root, "server/src/kernel");
  const declared = (actions: string) =>
    `import { defineSlice } from "${kernel}/slice.ts";\nexport const slice = defineSlice({ about: "Notes.", schemas: {}, actions: ${actions} });`;
  const operation = (id: string, name: string) =>
    `import { Type } from "${root}/node_modules/typebox/build/index.mjs";
import { openToAll } from "${kernel}/narrowing.ts";
import { defineRead, exempt, governs } from "${kernel}/operation.ts";
export const ${name} = defineRead({
  id: "${id}", path: "/v1/notes", summary: "List notes", output: Type.Object({}), example: { output: {} }, permission: "notes:read",
  load: exempt("names no object"), narrowing: openToAll("tells of nobody"), compliance: governs("note.read"), audit: "notes", handle: () => ({}),
});`;
  const loaded = async (name: string) =>
    operationsOf(await loadSlices(path.join(folder, name), ".ts")).map(({ id }) => id);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "aos-slices-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("holds every operation that its files export, by id", async () => {
    await write("whole/notes/slice.ts", declared(`{ "note.read": {} }`));
    await write("whole/notes/operations/b.ts", operation("notes.listNotes", "listNotes"));
    await write("whole/notes/more/operations/a.ts", operation("notes.readNote", "readNote"));
    await write("whole/notes/operations/b.test.ts", "throw new Error('a test was loaded')");
    expect(await loaded("whole")).toEqual(["notes.listNotes", "notes.readNote"]);
  });

  it("does not load without slice.ts, with an action that no slice declares, or with an id of no group", async () => {
    await write("bare/notes/store.ts", "");
    await expect(loaded("bare")).rejects.toThrow(/bare\/notes\/slice\.ts is missing/);
    await write("action/notes/slice.ts", declared("{}"));
    await write("action/notes/operations/list-notes.ts", operation("notes.listNotes", "listNotes"));
    await expect(loaded("action")).rejects.toThrow(
      /notes\.listNotes is governed as note\.read, which no slice declares/,
    );
    await write("group/notes/slice.ts", declared(`{ "note.read": {} }`));
    await write("group/notes/operations/list-notes.ts", operation("shelves.listNotes", "listNotes"));
    await expect(loaded("group")).rejects.toThrow(/shelves\.listNotes belongs to no group/);
  });

  it("is told of a schema that is no component", async () => {
    const schema = `export const Note = { type: "object", properties: {} };`;
    await write(`${notes}schemas.ts`, "export {};");
    await write(`${notes}shelf-schemas.ts`, schema);
    const sources = [{ file: `${notes}shelf-schemas.ts`, text: schema }];
    expect(await componentFindings(folder, sources)).toEqual([
      {
        file: `${notes}shelf-schemas.ts`,
        line: 1,
        what: `exports the schema Note, which is no component: export it from ${notes}schemas.ts as well, under a name that no other schema there has`,
      },
    ]);
  });
});
