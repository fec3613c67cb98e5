import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { tableTypes } from "../../../scripts/checks/table-types.ts";
import { useApp } from "../testing/app.ts";
import { sharedByEnvironments } from "./generated/tables.ts";
import {
  all,
  first,
  insert,
  newestFirst,
  readWritten,
  remove,
  rowsOf,
  select,
  type TableName,
  update,
} from "./scoped.ts";

const scope = { organization: "acme", environment: "staging" } as const;
const schema = await readFile(new URL("schema.sql", import.meta.url), "utf8");
const tables = [...schema.matchAll(/^create table (\w+) \(\n {2}organization /gm)].map(([, name]) => name as TableName);

describe.each(tables)("a statement over %s", (table) => {
  const expected = sharedByEnvironments.has(table) ? ["acme"] : ["acme", "staging"];

  it.each([
    ["selects", select({ scope }, table, "t").selectAll()],
    ["updates", update({ scope }, table).set({} as never)],
    ["deletes", remove({ scope }, table)],
  ])("%s in its scope only", (_verb, query) => {
    const { sql, parameters } = query.compile();
    expect(parameters).toEqual(expected);
    expect(sql).toContain(expected.length === 2 ? `"organization" = $1 and "environment" = $2` : `"organization" = $1`);
  });
});

describe("typed statements", () => {
  const app = useApp();
  const db = {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await app.pool.query(text, [...values])).rows as R[],
  };
  const here = { scope: { organization: "default", environment: "development" }, db } as const;
  const elsewhere = { scope: { organization: "default", environment: "staging" }, db } as const;
  const base = (id: string) => ({ id, name: id, description: "", language: "simple", author: "test" });

  beforeAll(async () => {
    for (const ctx of [here, elsewhere]) await all(ctx, insert(ctx, "knowledge_bases", [base("kb_a"), base("kb_b")]));
  });

  it("write and read what the scope holds", async () => {
    await all(here, update(here, "knowledge_bases").set({ description: "changed" }).where("id", "=", "kb_a"));
    const read = (ctx: typeof here | typeof elsewhere) =>
      first(ctx, select(ctx, "knowledge_bases", "b").select("b.description").where("b.id", "=", "kb_a"));
    expect([await read(here), await read(elsewhere)]).toEqual([{ description: "changed" }, { description: "" }]);
  });

  it("join within the scope, and page from the newest", async () => {
    const joined = select(here, "knowledge_bases", "b")
      .innerJoin(rowsOf(here, "knowledge_bases", "same"), "same.name", "b.name")
      .select("same.id");
    const page = await all(here, newestFirst(joined, "b.id", { after: { keys: [], id: "kb_b" }, take: 1 }));
    expect(page).toEqual([{ id: "kb_a" }]);
  });

  it("write and read in one statement: of the table what was written, of others what was there", async () => {
    const change = update(here, "knowledge_bases").set({ description: "both" }).where("id", "=", "kb_b");
    const view = select(here, "knowledge_bases", "b")
      .leftJoin(rowsOf(here, "agents", "a"), (on) => on.on("a.name", "=", "sales"))
      .select(["b.id", "b.description", "a.name"])
      .where("b.language", "=", "simple");
    const written = await readWritten(here, "knowledge_bases", change.returningAll().compile(), view.compile());
    expect(written).toEqual([{ id: "kb_b", description: "both", name: "sales" }]);
    expect(
      await readWritten(
        here,
        "knowledge_bases",
        change.where("id", "=", "kb_c").returningAll().compile(),
        view.compile(),
      ),
    ).toEqual([]);
  });

  it("do not compile where a table is named without its scope", () => {
    // @ts-expect-error: only rowsOf makes a table that can be joined
    select(here, "webhooks", "w").innerJoin("deliveries", "deliveries.webhook_id", "w.id");
    // @ts-expect-error: the scope is not written by hand
    insert(here, "webhook_cursors", { organization: "other" });
  });
});

describe("the types of tables", () => {
  it("name a column whose type they do not know", () => {
    const made = "create table notes (\n  organization text not null,\n  place point not null\n);\n";
    expect(() => tableTypes(made)).toThrow(
      'table "notes" in schema.sql: no TypeScript type for the column "place point not null"',
    );
  });
});
