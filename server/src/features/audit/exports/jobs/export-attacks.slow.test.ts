import { utf8, verifyManifest } from "@aos/proof";
import { beforeAll, describe, expect, it } from "vitest";
import { appendRecords, sampleRecord } from "../../../../audit-log/testing.ts";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import type { ExportPort } from "../../ports.ts";
import type { AuditExport } from "../../schemas.ts";
import { exportPort, fileOf, readExport, startExport, trustedKey, whileEdited } from "../../testing.ts";
import { createExportJob } from "./export-job.ts";

const app = useApp();
const process = useWorkerProcess(app);
let port: ExportPort;
/** The records of calls that were made, by their places in the log: two allowed, one refused. */
let calls: Record<"allowed" | "other" | "refused", { id: string; place: number }>;

beforeAll(async () => {
  port = await exportPort(app);
  await appendRecords(
    app.pool,
    Array.from({ length: 300 }, () => sampleRecord({ ...app.scope, environment: "development" })),
  );
  const refs = [await app.dispatch(), await app.dispatch()].map(({ audit_ref }) => audit_ref);
  const refused = await app.call("POST", "/v1/agents/sales/tasks", { key: "viewer", body: {} });
  const ids = [...refs, refused.headers.get("audit-ref") as string];
  await startExport(app, { format: "csv" }); // returns once all of it is in the log
  const { rows } = await app.pool.query("select record_id, leaf_index from audit_leaves where record_id = any($1)", [
    ids,
  ]);
  const call = (id = "") => ({ id, place: Number(rows.find((row) => row.record_id === id).leaf_index) });
  calls = { allowed: call(ids[0]), other: call(ids[1]), refused: call(ids[2]) };
});

async function exported(body: Parameters<typeof startExport>[1]): Promise<AuditExport> {
  const one = await startExport(app, body);
  const parts = { db: createReader(process.database.pool), inside: process.inside, clock: systemClock };
  await createExportJob(parts, port)({ ...app.scope, export: one.export_id });
  return readExport(app, one.export_id);
}

const filters = [{}, { decision: ["refused"] }, { actor: "nobody" }];
const forms = ["jsonl", "csv", "ocsf"].flatMap((format) => filters.map((filter) => ({ format, filter })));

/** What was done to the database, the rows that it touches, and what the export then says. */
const attacks: [string, () => { rows: Parameters<typeof whileEdited>[1]; statement: string; says: string }][] = [
  [
    "a record was edited",
    () => ({
      rows: { audit_records: `id = '${calls.allowed.id}'` },
      statement: `update audit_records set body = replace(body, '"status":202', '"status":403') where id = '${calls.allowed.id}'`,
      says: `The record ${calls.allowed.id} at place ${calls.allowed.place} of the log is not what was logged`,
    }),
  ],
  [
    "a record was edited and another deleted, so that the rows are not as many as the tree has leaves",
    () => ({
      rows: { audit_records: `id in ('${calls.allowed.id}', '${calls.other.id}')` },
      statement: `with gone as (delete from audit_records where id = '${calls.other.id}')
        update audit_records set body = replace(body, '"status":202', '"status":403') where id = '${calls.allowed.id}'`,
      says: `The record ${calls.allowed.id} at place ${calls.allowed.place} of the log is not what was logged`,
    }),
  ],
  [
    "a record was deleted",
    () => ({
      rows: { audit_records: `id = '${calls.refused.id}'` },
      statement: `delete from audit_records where id = '${calls.refused.id}'`,
      says: `The record at place ${calls.refused.place} of the log has no text, and no record of a removal explains it`,
    }),
  ],
  [
    "a record was deleted together with its leaf",
    () => ({
      rows: { audit_records: `id = '${calls.refused.id}'`, audit_leaves: `record_id = '${calls.refused.id}'` },
      statement: `with gone as (delete from audit_records where id = '${calls.refused.id}') delete from audit_leaves where record_id = '${calls.refused.id}'`,
      says: `The record at place ${calls.refused.place} of the log has no text`,
    }),
  ],
  [
    "an allowed call was made a refused one in the search index",
    () => ({
      rows: { audit_leaves: `record_id = '${calls.allowed.id}'` },
      statement: `update audit_leaves set decision = 'refused' where record_id = '${calls.allowed.id}'`,
      says: `${calls.allowed.id} at place ${calls.allowed.place} of the log is not what the search index says: its decision is "refused" in the search index, and "allowed" in the record`,
    }),
  ],
  [
    "a refused call was made an allowed one in the search index, which would hide it",
    () => ({
      rows: { audit_leaves: `record_id = '${calls.refused.id}'` },
      statement: `update audit_leaves set decision = 'allowed', stage = null where record_id = '${calls.refused.id}'`,
      says: `its decision is "allowed" in the search index, and "refused" in the record`,
    }),
  ],
  ...["principal", "stage"].map((column): (typeof attacks)[number] => [
    `the ${column} of a record was changed in the search index`,
    () => ({
      rows: { audit_leaves: `record_id = '${calls.refused.id}'` },
      statement: `update audit_leaves set ${column} = 'audit' where record_id = '${calls.refused.id}'`,
      says: `its ${column} is "audit" in the search index`,
    }),
  ]),
  [
    "the number of a record among those of its key was changed",
    () => ({
      rows: { audit_leaves: `record_id = '${calls.refused.id}'` },
      statement: `update audit_leaves set key_seq = key_seq + 1 where record_id = '${calls.refused.id}'`,
      says: `The record ${calls.refused.id} at place ${calls.refused.place} of the log is not what was logged`,
    }),
  ],
  [
    "two records were exchanged",
    () => ({
      rows: { audit_leaves: `record_id in ('${calls.allowed.id}', '${calls.refused.id}')` },
      statement: `update audit_leaves set leaf_index = case record_id when '${calls.allowed.id}' then ${calls.refused.place} else ${calls.allowed.place} end
        where record_id in ('${calls.allowed.id}', '${calls.refused.id}')`,
      says: "is not what was logged",
    }),
  ],
  [
    "two records claim one place",
    () => ({
      rows: { audit_leaves: `record_id = '${calls.other.id}'` },
      statement: `update audit_leaves set leaf_index = ${calls.allowed.place} where record_id = '${calls.other.id}'`,
      says: `are both said to be at place ${calls.allowed.place}`,
    }),
  ],
  [
    "a record was edited together with its hash in the tile",
    () => ({
      rows: {
        audit_records: "id in (select record_id from audit_leaves where leaf_index = 5)",
        audit_tiles: "level = 0 and index = 0",
      },
      statement: `with edited as (update audit_records r set body = replace(body, '"trust_score":0.8125', '"trust_score":0.9125')
          from audit_leaves l where l.record_id = r.id and l.environment = 'development' and l.leaf_index = 5 returning r.body, l.key_seq)
        update audit_tiles set data = overlay(data placing
          sha256('\\x00' || convert_to(replace(edited.body, '"key_seq":null', '"key_seq":' || edited.key_seq), 'UTF8')) from 5 * 32 + 1 for 32)
          from edited where environment = 'development' and level = 0 and index = 0`,
      says: "do not lead to its signed head",
    }),
  ],
  [
    "a tile was deleted",
    () => ({
      rows: { audit_tiles: "level = 0 and index = 0" },
      statement: "delete from audit_tiles where environment = 'development' and level = 0 and index = 0",
      says: "The log has no hash of its record at place 0",
    }),
  ],
];

describe("an export in each format, with and without a filter,", () => {
  it.each(attacks)("fails, says what was found, and is not signed where %s", async (_what, attack) => {
    const { rows, statement, says } = attack();
    await whileEdited(app, rows, statement, async () => {
      for (const form of forms) {
        const { state, failure, manifest, digest } = await exported(form);
        expect([form, state, manifest, digest, failure]).toEqual([
          form,
          "failed",
          null,
          null,
          expect.stringContaining(says),
        ]);
      }
    });
  });

  it("is written once the database is as it was", async () => {
    for (const form of forms) {
      const one = await exported(form);
      const report = await verifyManifest(one.manifest as string, await trustedKey(app), [
        utf8(await fileOf(app, one)),
      ]);
      expect([one.failure, report.findings, report.verified]).toEqual([null, [], true]);
    }
  });
});
