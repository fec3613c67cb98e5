import { createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { verifyExport } from "@aos/proof";
import type pg from "pg";
import { createSigner, exportLog, readProof } from "../../src/audit-log/index.ts";
import { openSecrets } from "../../src/db/secrets.ts";
import type { Bench, Figure } from "../figure.ts";
import { untilSequenced } from "../fill.ts";
import { median } from "../pairs.ts";
import { recordMacSql } from "../record-mac.ts";
import type { Service } from "../service.ts";

const proofs = 300;
const organization = "default";

/** What it takes to show that a record is in the log, and that a whole log holds together. */
export const proof: Figure = {
  name: "proof",
  title: "proof of one record among many; offline verification of an export of 100,000",
  async run(bench) {
    const service = await bench.filled();
    const proofMs = await timeOfProof(bench, service);
    const exported = bench.quick ? 10_000 : 100_000;
    const seconds = await timeOfVerification(bench, service, exported);
    return [
      { what: "proof of one record, median", value: proofMs, unit: "ms", bar: 5, aim: 2, better: "lower" },
      {
        what: `verification of ${exported.toLocaleString("en")} records`,
        value: seconds,
        unit: "s",
        bar: 10,
        aim: 5,
        better: "lower",
      },
    ];
  },
};

/** Records anywhere in the log, one proof after another, from the database to the text of the proof. */
async function timeOfProof(bench: Bench, { pool }: Service): Promise<number> {
  const scope = { organization, environment: "development" };
  await untilSequenced(pool);
  const { rows } = await pool.query<{ id: string }>(
    "select id from audit_records tablesample bernoulli (1) where organization = $1 and environment = $2 order by md5(id) limit $3",
    [organization, scope.environment, proofs],
  );
  const times: number[] = [];
  for (const { id } of rows) {
    const began = performance.now();
    await readProof(pool, scope, id);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const { rows: size } = await pool.query<{ tree_size: string }>(
    "select tree_size from audit_logs where organization = $1 and environment = $2",
    [organization, scope.environment],
  );
  const at = (share: number): string => (times[Math.floor(times.length * share)] as number).toFixed(2);
  bench.say(
    `  ${times.length} records at random among ${Number(size[0]?.tree_size).toLocaleString("en")}, one after another, by the function behind the API: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms`,
  );
  return median(times);
}

/** A log of its own, exported to a file and verified from the file with the key that the file names, by the code of `aos audit verify`. */
async function timeOfVerification(bench: Bench, service: Service, records: number): Promise<number> {
  const { pool } = service;
  const scope = { organization, environment: "staging" };
  const secrets = await openSecrets({ pool, keySource: { dataDir: service.dataDir } });
  await copyToStaging(pool, records, secrets.auditMacKey());
  await untilSequenced(pool, scope.environment);
  const { publicKey } = createSigner(await secrets.auditSigningKey());
  const file = path.join(await bench.folder("exports"), "log.jsonl");
  await pipeline(Readable.from(exportLog(pool, scope, publicKey)), createWriteStream(file));
  const times: number[] = [];
  for (let i = 0; i < bench.pairs; i++) {
    const handle = await open(file);
    const began = performance.now();
    const report = await verifyExport(handle.createReadStream({ highWaterMark: 1 << 20 }));
    times.push((performance.now() - began) / 1000);
    if (!report.verified || report.leaves !== records) {
      throw new Error(
        `the export does not verify: ${report.leaves} leaves, ${report.findings[0]?.message ?? "no finding"}`,
      );
    }
  }
  const megabytes = ((await stat(file)).size / 2 ** 20).toFixed(0);
  bench.say(
    `  export of ${records.toLocaleString("en")} records, ${megabytes} MB: verified in ${times.map((time) => time.toFixed(2)).join(", ")} s`,
  );
  return median(times);
}

/** Copies the newest records of `development` to the log of `staging`, which then sequences them as its own. */
async function copyToStaging(pool: pg.Pool, records: number, macKey: Buffer): Promise<void> {
  await pool.query(
    `insert into audit_records (organization, environment, id, n, body, writer, number, mac)
     select organization, 'staging', id, place - 1, body, 'bench', place,
       ${recordMacSql(macKey, ["organization", "'staging'", "'bench'", "place", "id", "null", "body"])}
     from (select organization, id, row_number() over (order by id) as place, replace(body, '"environment":"development"', '"environment":"staging"') as body
       from (select * from audit_records where organization = $1 and environment = 'development' order by id desc limit $2) as newest) as copied`,
    [organization, records],
  );
}
