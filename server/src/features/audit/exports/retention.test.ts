import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { startExport } from "../testing.ts";
import { exportRetention } from "./jobs/export-sweep.ts";
import { deleteOldExports } from "./store.ts";

const app = useApp();
const process = useWorkerProcess(app);

it("deletes exports with their files when they are older than the environment keeps them, and no others", async () => {
  const ids: string[] = [];
  for (const days of [31, 29, null]) {
    const { export_id } = await startExport(app, { format: "jsonl" });
    ids.push(export_id);
    await app.pool.query("insert into audit_export_parts values ('default', 'development', $1, 0, 1, 'x')", [
      export_id,
    ]);
    const ended =
      "update audit_exports set state = 'completed', finished_at = now() - $2 * interval '1 day' where id = $1";
    if (days !== null) await app.pool.query(ended, [export_id, days]);
  }
  const parts = {
    db: createReader(process.database.pool),
    inside: process.inside,
    facts: app.app.facts,
    port: app.app.port,
  };
  // The sweep is one for all tests of a process, and looks once a minute.
  await exportRetention.run({ ...parts, now: Date.now() + 3_600_000 });
  for (const [table, id] of [
    ["audit_exports", "id"],
    ["audit_export_parts", "export_id"],
  ]) {
    const { rows } = await app.pool.query(`select ${id} as id from ${table} order by 1`);
    expect(rows.map((row) => row.id)).toEqual(ids.slice(1).sort());
  }
  expect((await app.call("GET", `/v1/audit/exports/${ids[0]}`)).status).toBe(404);
});

it("deletes the others where one cannot be deleted, and says so at the end", async () => {
  const ids: string[] = [];
  for (const days of [41, 40]) {
    const { export_id } = await startExport(app, { format: "csv" });
    ids.push(export_id);
    await app.pool.query(
      "update audit_exports set state = 'completed', finished_at = now() - $2 * interval '1 day' where id = $1",
      [export_id, days],
    );
  }
  const sound = createReader(process.database.pool);
  const db: Statements = {
    query: (text, values) =>
      values?.includes(ids[0]) ? Promise.reject(new Error("the statement took too long")) : sound.query(text, values),
  };
  const before = new Date(Date.now() - 39 * 86_400_000);
  await expect(deleteOldExports(db, app.scope, before)).rejects.toThrow("1 exports could not be deleted");
  const left = async () =>
    (await app.pool.query("select id from audit_exports where id = any($1)", [ids])).rows.map(({ id }) => id);
  expect(await left()).toEqual([ids[0]]);
  await deleteOldExports(sound, app.scope, before);
  expect(await left()).toEqual([]);
});
