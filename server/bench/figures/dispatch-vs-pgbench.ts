import { writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { dispatchOne } from "../bodies.ts";
import type { Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { pairs } from "../pairs.ts";
import { findProgram, run } from "../programs.ts";
import { databaseUser, type Service } from "../service.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;

/** What PostgreSQL itself does with one transaction per call and no service before it; calls share theirs. */
export const dispatchVsPgbench: Figure = {
  name: "dispatch-vs-pgbench",
  title: "dispatches against single transactions of a task, an audit record and an event by pgbench",
  run: (bench) =>
    bench.withService(async (service) => {
      const pgbench = await findProgram(
        "pgbench",
        "install PostgreSQL's client programs (Debian, Ubuntu: apt-get install postgresql-contrib; macOS: brew install postgresql).",
      );
      const folder = await bench.folder("loads");
      const script = path.join(folder, "three-rows.sql");
      await writeFile(script, await threeRows(service));
      const load = dispatchLoad(service.key);
      const calls = async (): Promise<number> =>
        (await runLoad({ url: service.url, load, connections, seconds: bench.seconds, folder })).perSecond;
      const transactions = (): Promise<number> => runPgbench(pgbench, script, service, bench.seconds);
      bench.say(
        `  ${connections} connections each, ${bench.seconds} s a run, ${bench.pairs} pairs after one run each to warm up; the same server, pgbench -M prepared -j 1, begin, three inserts, commit`,
      );
      await calls();
      await transactions();
      const { ratio } = await pairs(bench.pairs, calls, transactions, (a, b) =>
        bench.say(
          `  service ${a.toFixed(0)} calls/s  pgbench ${b.toFixed(0)} transactions/s  ratio ${(a / b).toFixed(2)}`,
        ),
      );
      return [
        { what: "calls per transaction of pgbench", value: ratio, unit: "×", bar: 1.2, aim: 2, better: "higher" },
      ];
    }),
};

/** Runs the script with 64 clients; answers transactions per second, without the time to connect. */
async function runPgbench(
  pgbench: string,
  script: string,
  { socketFolder }: Service,
  seconds: number,
): Promise<number> {
  const args = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(connections),
    "-j",
    "1",
    "-T",
    String(seconds),
    "-f",
    script,
    "-h",
    socketFolder,
    "-U",
    databaseUser,
    databaseUser,
  ];
  const out = await run(pgbench, args);
  const failed = /number of failed transactions: (\d+)/.exec(out)?.[1] ?? "0";
  const tps = /^tps = ([\d.]+)/m.exec(out)?.[1];
  if (tps === undefined || failed !== "0") throw new Error(`pgbench failed: ${out.trim()}`);
  return Number(tps);
}

/**
 * The script: the rows that a real dispatch wrote, into tables of the same shape and indexes, so that the sequencer does not take them for its own. Ids
 * rise with time as ours do.
 */
async function threeRows({ url, key, pool }: Service): Promise<string> {
  const { task_id } = await dispatchOne(url, key);
  await pool.query("create schema bench");
  for (const table of ["tasks", "audit_records", "events"])
    await pool.query(`create table bench.${table} (like ${table} including all)`);
  const task = await rowOf(pool, "tasks", `id = '${task_id}'`);
  const record = await rowOf(pool, "audit_records", `id = '${task.get("audit_ref")}'`);
  const event = await rowOf(pool, "events", `task_id = '${task_id}'`);
  const id = (prefix: string): string =>
    `'${prefix}_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 14, '0') || lpad((:n)::text, 12, '0')`;
  const insert = (table: string, row: Map<string, string | null>, prefix: string): string => {
    const columns = [...row].filter(([name, value]) => value !== null && name !== "xid");
    const values = columns.map(([name, value]) =>
      name === "id" ? id(prefix) : name === "idempotency_hash" ? "md5((:n)::text)" : literal(value as string),
    );
    return `insert into bench.${table} (${columns.map(([name]) => name).join(", ")}) values (${values.join(", ")});`;
  };
  return [
    "\\set n random(1, 999999999999)",
    "begin;",
    insert("tasks", task.set("idempotency_hash", "-"), "tsk"),
    insert("audit_records", record, "aud"),
    insert("events", event, "evt"),
    "commit;",
    "",
  ].join("\n");
}

async function rowOf(pool: pg.Pool, table: string, where: string): Promise<Map<string, string | null>> {
  const { rows } = await pool.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from ${table} t where ${where} limit 1`,
  );
  return new Map(Object.entries(rows[0]?.row ?? {}).map(([name, value]) => [name, asText(value)]));
}

const asText = (value: unknown): string | null =>
  value === null
    ? null
    : Array.isArray(value)
      ? `{${value.map((one) => JSON.stringify(one)).join(",")}}`
      : String(value);

/** A literal without a colon, which pgbench would take for one of its variables. */
const literal = (text: string): string =>
  `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll(":", "\\x3a")}'`;
