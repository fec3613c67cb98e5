import { generateKeyPairSync } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AuditRecord, buildRecordBody } from "@aos/proof";
import type { Pool, PoolClient } from "pg";
import { deriveMacKey } from "../db/secrets.ts";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { createLogMac, createRecordWriter } from "./mac.ts";
import { createPins, type Pins } from "./pins.ts";
import type { SequencerLog } from "./progress.ts";
import type { LogScope } from "./scope.ts";
import type { Sequencer } from "./sequencer.ts";
import { createSigner } from "./signer.ts";

/** A fresh Ed25519 signer. */
export function testSigner(): ReturnType<typeof createSigner> {
  return createSigner(generateKeyPairSync("ed25519").privateKey);
}

/** Authenticates as services do that tests start, by the key of their `testSecretKey`. */
export const testMac = createLogMac(deriveMacKey(Buffer.alloc(32, 7)));
export const testWriter = createRecordWriter(testMac);

/** Pins in a fresh folder. */
export const testPins = async (): Promise<Pins> =>
  createPins(path.join(await mkdtemp(path.join(tmpdir(), "aos-test-pins-")), "audit"));

export const newId = createIds(systemClock);
export const production: LogScope = { organization: "default", environment: "production" };
export const silent: SequencerLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A record of an allowed dispatch; members replaceable. */
export function sampleRecord(scope: LogScope, members: Partial<AuditRecord> = {}): AuditRecord {
  const id = members.id ?? newId("aud");
  const stage = (name: string, verdict: string): AuditRecord["stages"][number] => ({
    policy_version: null,
    reasons: [],
    stage: name,
    verdict,
  });
  return {
    address: null,
    approval_id: null,
    code: null,
    ...scope,
    id,
    key_id: "key_01jd0000000000000000000000",
    key_seq: null,
    object: "task:tsk_01jd0000000000000000000000",
    operation: "agents.dispatchTask",
    outcome: "allowed",
    principal: "mbr_01jd0000000000000000000000",
    request: null,
    request_id: `req_${id.slice(4)}`,
    response: null,
    stages: [
      stage("permissions", "allow"),
      stage("evaluation_gate", "allow"),
      stage("compliance", "allow"),
      stage("audit", "recorded"),
    ],
    status: 202,
    task_id: "tsk_01jd0000000000000000000000",
    time: "2026-05-03T09:00:00.000Z",
    trust_score: 0.8125,
    version: 1,
    ...members,
  };
}

/** Appends records as one statement does, numbered from `from`. Answers their ids. */
export async function appendRecords(
  db: Pick<Pool | PoolClient, "query">,
  records: readonly AuditRecord[],
  from = 0,
): Promise<string[]> {
  const bodies = records.map(buildRecordBody);
  const seals = records.map(({ organization, environment, id }, i) =>
    testWriter.seal({ organization, environment, id, saltId: null, body: bodies[i] as string }),
  );
  await db.query(
    `insert into audit_records (organization, environment, id, n, body, writer, number, mac)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::bigint[], $8::bytea[])`,
    [
      records.map((r) => r.organization),
      records.map((r) => r.environment),
      records.map((r) => r.id),
      records.map((_, i) => from + i),
      bodies,
      seals.map((seal) => seal.writer),
      seals.map((seal) => seal.number),
      seals.map((seal) => seal.mac),
    ],
  );
  return records.map((r) => r.id);
}

/** Appends one event, as part of the transaction of `db`. */
export async function appendEvent(
  db: Pick<Pool | PoolClient, "query">,
  scope: LogScope,
  auditId: string,
  n = 0,
): Promise<string> {
  const id = newId("evt");
  await db.query(
    `insert into events (organization, environment, id, n, type, task_id, task_sequence, audit_id, body, created_at)
      values ($1, $2, $3, $4, 'task.created', null, null, $5, '{}', now())`,
    [scope.organization, scope.environment, id, n, auditId],
  );
  return id;
}

/** Resolves when a sequencer reports that the log has so many leaves. */
export async function untilSize(
  pool: Pick<Pool, "query">,
  sequencer: Sequencer,
  scope: LogScope,
  size: number,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const stop = sequencer.onSequenced((s) => {
    if (s.scope.environment === scope.environment && s.treeSize >= size) reached.resolve();
  });
  const { rows } = await pool.query<{ tree_size: string }>(
    "select tree_size from audit_logs where organization = $1 and environment = $2",
    [scope.organization, scope.environment],
  );
  if (Number(rows[0]?.tree_size ?? 0) < size) await reached.promise;
  stop();
}
