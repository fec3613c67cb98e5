import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ProofVerdict, parseTlogProof, parseVerifierKey, verifyProof } from "@aos/proof";
import pg from "pg";
import { adoptLog } from "../../src/features/audit/index.ts";
import { type Answered, startTestApp, type TestApp } from "../../src/testing/app.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { until } from "../processes.ts";

/** The tables of the log, and of the events that stand beside it. */
const logTables = [
  "audit_records",
  "audit_leaves",
  "audit_logs",
  "audit_tiles",
  "audit_key_counters",
  "events",
  "event_positions",
];

let folders = 0;

/** A service whose database somebody else can write to, and what it takes to stop and start it again. */
export class AttackedService {
  readonly database: TestDatabase;
  readonly dataDir: string;
  #app: TestApp | null;
  readonly #attacker: pg.Client;

  private constructor(database: TestDatabase, dataDir: string, app: TestApp, attacker: pg.Client) {
    this.database = database;
    this.dataDir = dataDir;
    this.#app = app;
    this.#attacker = attacker;
  }

  static async start(): Promise<AttackedService> {
    const database = await testDatabase();
    const dataDir = newFolder();
    const app = await startTestApp({ connectionString: database.connectionString, dataDir });
    const attacker = new pg.Client({ connectionString: database.connectionString });
    await attacker.connect();
    await attacker.query("set session_replication_role = replica; create schema kept"); // no trigger stands in the way
    return new AttackedService(database, dataDir, app, attacker);
  }

  get app(): TestApp {
    if (!this.#app) throw new Error("the service is stopped");
    return this.#app;
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = null;
  }

  async restart(options: { readonly dataDir?: string } = {}): Promise<void> {
    await this.stop();
    this.#app = await startTestApp({
      connectionString: this.database.connectionString,
      dataDir: options.dataDir ?? this.dataDir,
    });
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#attacker.end();
    await this.database.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** What somebody with the database does. */
  async sql<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#attacker.query<R>(text, values)).rows;
  }

  /** Remembers the log as it is. */
  async keep(): Promise<void> {
    for (const table of logTables)
      await this.sql(`drop table if exists kept.${table}; create table kept.${table} as table ${table}`);
  }

  /** Puts the log back to what it was. */
  async putBack(): Promise<void> {
    const parts = logTables.map((table) => `delete from ${table}; insert into ${table} select * from kept.${table}`);
    await this.sql(`begin; ${parts.join("; ")}; commit`);
  }

  /** So many recorded calls, the last of which has its proof. Returns their audit references, oldest first. */
  async work(calls = 3): Promise<string[]> {
    const refs: string[] = [];
    for (let i = 0; i < calls; i++) refs.push(await this.record());
    const last = refs.at(-1) as string;
    await until("the last call has its proof", async () => (await this.proof(last)).status === 200);
    return refs;
  }

  /** One recorded call, sequenced or not. */
  async record(): Promise<string> {
    const answered = await this.app.call("GET", "/v1/admin/whoami");
    if (answered.status !== 200) throw new Error(`whoami responded ${answered.status}`);
    return answered.headers.get("audit-ref") as string;
  }

  proof(ref: string): Promise<Answered> {
    return this.app.call("GET", `/v1/audit/events/${ref}/proof`);
  }

  /** Verifies a record's proof as an auditor would, with the key that the log has for its origin. */
  async verdict(ref: string): Promise<ProofVerdict> {
    const { text } = await this.proof(ref);
    const { checkpoint, extra } = parseTlogProof(text);
    const origin = checkpoint.slice(0, checkpoint.indexOf("\n"));
    const keys = (await this.app.app.logKeys()).trim().split("\n").map(parseVerifierKey);
    const key = keys.find(({ name }) => name === origin);
    if (!key) throw new Error(`no key for ${origin}`);
    return verifyProof({ proofText: text, leafData: Buffer.from(extra as Uint8Array).toString(), publicKey: key });
  }

  /** Closes the stopped log and opens another, as `aos audit adopt` does. */
  async adopt(reason = "a test forged a row"): Promise<{ readonly refused: readonly string[] }> {
    const { app } = this.app;
    const scope = { organization: "default", environment: "development" } as never;
    const adoption = await app.inside(adoptLog, "cli", scope, { reason });
    await app.auditPort.pin(scope, adoption.checkpoint);
    return adoption;
  }

  /** A row that says of a record that it stands where another one does. */
  async claimPlace(ref: string, of: string): Promise<void> {
    const columns =
      "organization, environment, leaf_index, key_id, key_seq, principal, operation, object, task_id, approval_id, decision, stage, status";
    await this.sql(
      `insert into audit_leaves (record_id, ${columns}) select $1, ${columns} from audit_leaves where record_id = $2`,
      [ref, of],
    );
  }

  /** Waits until the log is stopped; returns why. */
  async stopReason(): Promise<string> {
    let reason = "";
    const seen = async (): Promise<boolean> => {
      const { body } = await this.app.call("GET", "/readyz", { key: null });
      reason =
        body.audit_log_stopped?.find((stop: { environment: string }) => stop.environment === "development")?.reason ??
        "";
      return reason !== "";
    };
    await until("the log is stopped", seen);
    return reason;
  }

  /** Holds what waits out of the log until it is called again: an old transaction hides what commits after it. */
  async hold(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.database.connectionString });
    await client.connect();
    await client.query("begin; select pg_current_xact_id()");
    return async () => {
      await client.query("commit");
      await client.end();
    };
  }
}

export const newFolder = (): string => path.join(tmpdir(), `aos-test-forged-${process.pid}-${++folders}`);
