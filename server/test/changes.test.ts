import { describe, expect, it } from "vitest";
import { useApp } from "../src/testing/app.ts";
import { logTables, unwatchedTables, watchChanges } from "./changes.ts";

const app = useApp();
const insert = "insert into fact_epochs (topic, epoch) values ('walk', 1)";

describe("the log of changes", () => {
  it("covers every table, truncation included", async () => {
    await watchChanges(app);
    expect(await unwatchedTables(app)).toEqual([]);
    await app.pool.query("create table forgotten (id int)");
    expect(await unwatchedTables(app)).toEqual(["public.forgotten"]);
    await app.pool.query("drop table forgotten");
  });

  it("leaves out only tables of the audit log that exist", async () => {
    const { rows } = await app.pool.query(
      "select to_regclass(name) is null as missing, name from unnest($1::text[]) name",
      [logTables],
    );
    expect(rows.filter(({ missing }) => missing)).toEqual([]);
  });

  it.each([
    ["insert", insert],
    ["update", "update fact_epochs set epoch = epoch + 1 where topic = 'walk'"],
    ["delete", "delete from fact_epochs where topic = 'walk'"],
  ])("names the table of an %s", async (what, statement) => {
    const changes = await watchChanges(app);
    await app.pool.query(statement);
    expect(await changes()).toEqual([`public.fact_epochs ${what}`]);
    expect(await changes(["fact_epochs"])).toEqual([]);
  });

  it("names a table that was truncated, empty or not", async () => {
    const changes = await watchChanges(app);
    await app.pool.query("truncate agent_pauses");
    expect(await changes()).toEqual(["public.agent_pauses truncate"]);
  });

  it.each([
    ["touch no row", "update fact_epochs set epoch = epoch + 1 where topic = 'nothing'"],
    ["write what stands there already", "update fact_epochs set epoch = epoch"],
    ["say when a key was last used", "update keys set last_used_at = now()"],
    ["are rolled back", `begin; ${insert}; rollback`],
  ])("does not name tables of statements that %s", async (_what, statement) => {
    const changes = await watchChanges(app);
    await app.pool.query(statement);
    expect(await changes()).toEqual([]);
  });
});
