import type pg from "pg";
import { touchFacts } from "../db/facts.ts";
import { named } from "../db/named.ts";
import type { Loader, Writer } from "../kernel/db.ts";
import { refuse } from "../kernel/errors.ts";
import { overloaded } from "../kernel/problems.ts";
import { storedJson } from "../kernel/stored-json.ts";
import type { CallWrites } from "./append-statement.ts";
import { batchStatement, valuesOf } from "./append-statement.ts";
import type { RecordWriter } from "./mac.ts";

/** A stored answer of an earlier call. */
export interface KeptAnswer {
  readonly bodyDigest: string;
  readonly status: number;
  readonly answer: Buffer;
  readonly headers: Record<string, string>;
}

interface AnswerRow {
  readonly body_digest: string;
  readonly status: number;
  readonly answer: Buffer;
  readonly headers: string;
}

/** All that belongs to the end of a call with a transaction of its own. */
export interface OwnEnd extends CallWrites {
  readonly topics: readonly string[];
  readonly answer: { readonly hash: string; readonly stored: KeptAnswer } | null;
}

const answerJson = storedJson<{ headers: Record<string, string> }>();

/** The transaction of one call: its effect, events, jobs, stored answer and record become durable together. */
export class OwnTransaction {
  readonly writer: Writer;
  readonly #client: pg.PoolClient;
  readonly #scope: { organization: string; environment: string };
  readonly #options: TransactionOptions;
  #open = true;

  constructor(
    client: pg.PoolClient,
    scope: { organization: string; environment: string },
    options: TransactionOptions,
  ) {
    this.#client = client;
    this.#scope = scope;
    this.#options = options;
    this.writer = writerOf(client);
  }

  /** Takes the lock on an idempotency hash for the length of the transaction; false: a twin holds it. */
  async claim(hash: string): Promise<boolean> {
    const { rows } = await this.#client.query<{ taken: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken",
      [hash],
    );
    return rows[0]?.taken === true;
  }

  /** The answer of an earlier call with this hash, recorded at or after the record id `since`; with `keyId` only if that key made the call. */
  async findAnswer(hash: string, since: string, keyId: string | null = null): Promise<KeptAnswer | undefined> {
    const { rows } = await this.#client.query<AnswerRow>(
      `select k.body_digest, k.status, k.answer, k.headers from idempotency_keys k
       where k.organization = $1 and k.environment = $2 and k.hash = $3 and k.id >= $4
         and ($5::text is null or $5 = (select r.body::json ->> 'key_id' from audit_records r
           where r.organization = k.organization and r.environment = k.environment and r.id = k.id))
       order by k.id desc limit 1`,
      [this.#scope.organization, this.#scope.environment, hash, since, keyId],
    );
    const row = rows[0];
    if (!row) return undefined;
    return {
      bodyDigest: row.body_digest,
      status: row.status,
      answer: row.answer,
      headers: answerJson(row, "headers"),
    };
  }

  /** Writes what belongs to the call and commits. */
  async commit(end: OwnEnd): Promise<void> {
    const client = this.#client;
    const statement = batchStatement([end], "check", this.#options.writer);
    await client.query({ name: statement.name, text: statement.text, values: valuesOf(statement) });
    if (end.answer) await this.#keepAnswer(end.record.id, end.answer);
    if (end.topics.length > 0) await client.query(touchFacts, [end.topics]);
    this.#open = false;
    try {
      await client.query("commit");
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#options.writer.acknowledged(end.record);
    this.#options.committed();
  }

  async #keepAnswer(recordId: string, { hash, stored }: NonNullable<OwnEnd["answer"]>): Promise<void> {
    await this.#client.query(
      `insert into idempotency_keys (organization, environment, id, hash, body_digest, status, answer, headers)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        this.#scope.organization,
        this.#scope.environment,
        recordId,
        hash,
        stored.bodyDigest,
        stored.status,
        stored.answer,
        JSON.stringify(stored.headers),
      ],
    );
  }

  /** Undoes everything. Harmless after the end. */
  async rollback(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      await this.#client.query("rollback");
      this.#client.release();
    } catch {
      this.#client.release(true); // the connection is gone, and with it the transaction
    }
  }
}

export interface TransactionOptions {
  readonly pool: pg.Pool;
  readonly writer: RecordWriter;
  /** Called after each commit; wakes the sequencer. */
  readonly committed: () => void;
}

/** Opens the transaction of a call. */
export async function beginTransaction(
  options: TransactionOptions,
  scope: { organization: string; environment: string },
): Promise<OwnTransaction> {
  return new OwnTransaction(await begun(options.pool), scope, options);
}

/** A handle on a transaction. */
function writerOf(client: pg.PoolClient): Writer {
  const query = async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await client.query(named(text, values))).rows as R[];
  const load = async <R extends object>(
    loader: Loader<R>,
    at: { organization: string; environment: string },
    key: string,
  ) => (await query<R>(loader.text, [at.organization, at.environment, [key]]))[0];
  return { query, load } as unknown as Writer;
}

/** A connection with an open transaction. Where none is to be had in time the call is refused, not failed: nothing has happened yet. */
async function begun(pool: pg.Pool): Promise<pg.PoolClient> {
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    await client.query("begin");
    return client;
  } catch (error) {
    client?.release(true);
    throw Object.assign(refuse(overloaded, "All connections to the database are in use; try again in a moment."), {
      cause: error,
    });
  }
}
