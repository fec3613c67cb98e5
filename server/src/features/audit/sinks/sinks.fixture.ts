import {
  createTreeFold,
  fromBase64,
  leafHash,
  openCheckpoint,
  type TreeFold,
  toBase64,
  verifyConsistency,
} from "@aos/proof";
import { expect } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { RunInside, Statements } from "../../../kernel/machines.ts";
import { noMeter } from "../../../kernel/metrics.ts";
import type { TestApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { auditPort, exportPort, sinkPort } from "../ports.ts";
import { trustedKey } from "../testing.ts";
import type { BatchHead } from "./batch.ts";
import { createSinkJob, type SinkJobOptions } from "./jobs/sink-job.ts";
import type { AuditSink } from "./schemas.ts";

/** Waits until every record that was answered has its place in the log of `development`. Returns how many there are. */
export async function untilAllSequenced(app: TestApp): Promise<number> {
  await eventually(async () => {
    const { rows } = await app.pool.query<{ left: number }>(
      `select count(*)::int as left from audit_records r where environment = 'development'
         and not exists (select from audit_leaves l where l.environment = 'development' and l.record_id = r.id)`,
    );
    expect(rows[0]?.left).toBe(0);
  });
  const { rows } = await app.pool.query<{ size: number }>(
    "select tree_size::int as size from audit_logs where environment = 'development'",
  );
  return rows[0]?.size ?? 0;
}

/** Makes records in the log of `development`. */
export async function makeRecords(app: TestApp, count: number, key = "viewer"): Promise<void> {
  for (let made = 0; made < count; made++) await app.call("GET", "/v1/admin/whoami", { key });
}

export async function createSink(app: TestApp, body: object): Promise<AuditSink> {
  const made = await app.call("POST", "/v1/audit/sinks", { body: { name: "Receiver", from_leaf: 0, ...body } });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

export const readSink = async (app: TestApp, id: string): Promise<AuditSink> =>
  (await app.call("GET", `/v1/audit/sinks/${id}`)).body;

/** What a worker works with. */
export interface Hands {
  readonly db: Statements;
  readonly inside: RunInside;
}

/** For sinks that nothing stops: a worker that makes no calls. */
export const handsOf = ({ pool }: TestApp): Hands => ({
  db: createReader(pool),
  inside: (operation) => Promise.reject(new Error(`${operation.id} was not expected`)),
});

/** Lets a worker work on a sink now, whatever pause or lease it has. */
export async function workOn(
  app: TestApp,
  { db, inside }: Hands,
  id: string,
  options: SinkJobOptions = {},
): Promise<void> {
  await app.pool.query("update audit_sinks set next_at = now(), lease_until = null where id = $1", [id]);
  const { port } = app.app;
  const ports = { audit: port(auditPort), exports: port(exportPort), sinks: port(sinkPort) };
  await createSinkJob({ db, inside, clock: systemClock, meter: noMeter }, ports, options)({ ...app.scope, sink: id });
}

export interface TakenRecord {
  readonly leaf_index: number;
  readonly leaf_data: string;
}

/** Holds batches to the log as a receiver can: their ranges adjoin, no record is missing, and each root leads to the signed head that came with it. */
export function createReceiverCheck(app: TestApp) {
  const tree: TreeFold = createTreeFold();
  return async (head: BatchHead, records: readonly TakenRecord[]): Promise<void> => {
    expect(head.first_leaf).toBe(tree.end);
    expect(records.map(({ leaf_index }) => leaf_index)).toEqual(
      Array.from({ length: head.last_leaf + 1 - head.first_leaf }, (_, at) => head.first_leaf + at),
    );
    for (const { leaf_data } of records) tree.append(leafHash(leaf_data));
    expect(toBase64(tree.root())).toBe(head.root);
    const signed = await openCheckpoint(head.checkpoint, await trustedKey(app));
    const consistency = head.consistency.flatMap((hash) => fromBase64(hash) ?? []);
    expect(verifyConsistency({ size: tree.end, root: tree.root() }, signed, consistency)).toBe(true);
  };
}
