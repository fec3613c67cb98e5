import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { schemaText } from "../../scripts/checks/database-schema.ts";
import { generate, staleFiles, writeStale } from "../../scripts/checks/generated.ts";
import { useDatabase } from "../src/testing/database.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the generated files", () => {
  it("are what the declarations make", async () => {
    expect(await staleFiles(root, await generate()), "run: npm run gen").toEqual([]);
  });

  it("are named when they are missing or changed, and written then and only then", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "aos-generated-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = [
      { file: "a/one.md", text: "one" },
      { file: "two.md", text: "two" },
    ];
    await writeFile(path.join(folder, "two.md"), "old");
    expect(await staleFiles(folder, files)).toEqual(["a/one.md", "two.md"]);
    expect(await writeStale(folder, files)).toEqual(["a/one.md", "two.md"]);
    expect(await writeStale(folder, files)).toEqual([]);
    expect(await readFile(path.join(folder, "a/one.md"), "utf8")).toBe("one");
  });
});

describe("server/src/db/schema.sql", () => {
  const database = useDatabase();
  const golden = () => readFile(path.join(root, "server/src/db/schema.sql"), "utf8");

  it("is the schema after all migrations, on every supported PostgreSQL", async () => {
    expect(
      await schemaText(database.pool),
      "the migrations make another schema: run `npm run gen -- --schema` and look at the difference",
    ).toBe(await golden());
  });

  it("shows a column, an index and a function that somebody adds", async () => {
    await database.pool.query(
      "create table extra_thing (id int primary key, note text default 'x'); create index extra_thing_by_note on extra_thing (note)",
    );
    await database.pool.query("create function extra_thing_function() returns int language sql as 'select 1'");
    const added = (await schemaText(database.pool)).split("\n").filter((line) => line.includes("extra_thing"));
    expect(added).toEqual([
      "create table extra_thing (",
      "  constraint extra_thing_pkey PRIMARY KEY (id)",
      "CREATE INDEX extra_thing_by_note ON public.extra_thing USING btree (note);",
      expect.stringContaining("FUNCTION public.extra_thing_function()"),
    ]);
  });
});
