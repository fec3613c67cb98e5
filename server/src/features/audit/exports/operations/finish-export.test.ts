import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Refusal } from "../../../../kernel/errors.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { readExport, startExport } from "../../testing.ts";
import { claimExport } from "../store.ts";
import { finishExport } from "./finish-export.ts";

const app = useApp();
const process = useWorkerProcess(app);

const ending = {
  rows: 3,
  bytes: 30,
  digest: "ab".repeat(32),
  manifest: 'aos-audit-export v1\n{"schema_version":"aos-audit-csv v1"}\n',
};
const taken = async (): Promise<string> => {
  const { export_id } = await startExport(app, { format: "csv" });
  await claimExport(
    { query: async (text, values) => (await app.pool.query(text, values as unknown[])).rows },
    { ...app.scope, id: export_id },
  );
  return export_id;
};
const eventsOf = async (id: string) =>
  (
    await app.pool.query("select body from events where type = 'audit.export_ready' and body like $1", [`%${id}%`])
  ).rows.map(({ body }) => JSON.parse(body));
const finish = (id: string, attempt: number, how: typeof ending | { failure: string } = ending) =>
  process.inside(finishExport, app.scope, { export: id, attempt, ending: how });
const refusedWith = (call: Promise<unknown>) =>
  call.then(
    () => "accepted",
    (error: unknown) => (error as Refusal).type.code,
  );

describe("finishing an export", () => {
  it("completes it, tells subscribers, and is recorded", async () => {
    const id = await taken();
    expect(await finish(id, 1)).toEqual({ state: "completed" });
    expect(await readExport(app, id)).toMatchObject({
      state: "completed",
      rows: 3,
      bytes: 30,
      digest: ending.digest,
      manifest: ending.manifest,
      failure: null,
    });
    expect(await eventsOf(id)).toEqual([
      { event: "audit.export_ready", export_id: id, format: "csv", rows: 3, digest: ending.digest },
    ]);
    const { rows } = await app.pool.query("select body from audit_records where body like $1", [
      `%"operation":"audit.finishExport"%`,
    ]);
    const records = rows.map(({ body }) => JSON.parse(body)).filter(({ object }) => object === `export:${id}`);
    expect(records).toMatchObject([{ principal: "system:worker", outcome: "allowed", environment: "development" }]);
    const { openings, commitments } = (await app.call("GET", `/v1/audit/events/${records[0].id}`)).body;
    expect(commitments.response).toBe(hash("sha256", openings.response + ending.digest)); // commits to the file
  });

  it("fails it, drops what was written of it, and tells nobody that it is ready", async () => {
    const id = await taken();
    await app.pool.query("insert into audit_export_parts values ('default', 'development', $1, 0, 1, 'x')", [id]);
    expect(await finish(id, 1, { failure: "It was lost." })).toEqual({ state: "failed" });
    expect(await readExport(app, id)).toMatchObject({
      state: "failed",
      failure: "It was lost.",
      rows: null,
      digest: null,
      manifest: null,
    });
    expect((await app.pool.query("select from audit_export_parts where export_id = $1", [id])).rowCount).toBe(0);
    expect(await eventsOf(id)).toEqual([]);
  });

  it("refuses an attempt that no longer has it, and one that it has ended already", async () => {
    const id = await taken();
    expect(await refusedWith(finish(id, 2))).toBe("wrong_state");
    await finish(id, 1);
    expect(await refusedWith(finish(id, 1))).toBe("wrong_state");
    expect(await refusedWith(finish(id, 1, { failure: "late" }))).toBe("wrong_state");
    expect(await readExport(app, id)).toMatchObject({ state: "completed" });
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it("refuses what nobody has taken up, and what there is not", async () => {
    const { export_id } = await startExport(app, { format: "csv" });
    expect(await refusedWith(finish(export_id, 0))).toBe("wrong_state");
    expect(await refusedWith(finish("exp_01jd8x0000000000000000000t", 1))).toBe("not_found");
  });
});
