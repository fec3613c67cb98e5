import pg from "pg";
import type { AppendTable, JobSpec } from "../kernel/append.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import { batchStatement, claimOf } from "./append-statement.ts";

/** What one call writes in a group commit: its record, and whatever it appends beside it. */
export interface CallWrites {
  readonly record: {
    readonly id: string;
    readonly organization: string;
    readonly environment: string;
    readonly body: string;
    readonly newSalt: { readonly subject: string; readonly salt: Buffer } | null;
  };
  readonly rows: readonly { readonly table: AppendTable; readonly row: Record<string, unknown> }[];
  readonly events: readonly EmittedEvent[];
  readonly jobs: readonly JobSpec[];
  readonly newEventId: () => string;
}

export interface Committer {
  /** Durable when it resolves. `lost`: an earlier row held the claim, nothing of the call was written. */
  append(call: CallWrites): Promise<"written" | "lost">;
  /** Writes what waits and closes the connection. */
  stop(): Promise<void>;
}

export interface CommitterOptions {
  readonly connection: pg.ClientConfig;
  /** Called after each commit; wakes the sequencer. */
  readonly committed: () => void;
  readonly report: (error: unknown) => void;
}

/** A batch holds at most so many calls: enough to share a flush among all that wait, few enough to keep a statement short. */
const largestBatch = 256;

/** PostgreSQL gives a statement up after so long, and undoes it (milliseconds): a call and the record of its refusal fit into a request's time. */
const statementLimit = 5_000;
/** After so long without any answer the outcome counts as unknown (milliseconds). */
const patience = 8_000;

interface Waiting {
  readonly call: CallWrites;
  readonly resolve: (fate: "written" | "lost") => void;
  readonly reject: (error: unknown) => void;
}

/** The committer's one connection, made when it is needed and again when it broke. */
class Connection {
  readonly #options: CommitterOptions;
  #client: pg.Client | null = null;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  async write(calls: readonly CallWrites[]): Promise<ReadonlySet<string>> {
    const client = this.#client ?? (await this.#connect());
    const result = await client.query<{ won: string[] }>(batchStatement(calls));
    return new Set(result.rows[0]?.won);
  }

  async #connect(): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: patience, statement_timeout: statementLimit, query_timeout: patience };
    const fresh = new pg.Client({ ...this.#options.connection, ...limits });
    fresh.on("error", (error) => {
      this.#drop(fresh);
      this.#options.report(error);
    });
    fresh.on("end", () => this.#drop(fresh));
    await fresh.connect();
    this.#client = fresh;
    return fresh;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = null;
  }

  /** A connection on which a statement has an unknown end is of no more use. */
  async abandon(): Promise<void> {
    const broken = this.#client;
    this.#client = null;
    await broken?.end().catch(() => undefined);
  }
}

/**
 * Group commit: while one statement is under way the calls that come are gathered, and the next statement writes them all. One batch in
 * flight, no waiting to collect: measured to be the fastest. A statement that fails is repeated call by call, so that one bad call harms no other.
 */
export function createCommitter(options: CommitterOptions): Committer {
  const connection = new Connection(options);
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let stopped = false;

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const won = await connection.write(batch.map((one) => one.call));
      for (const one of batch) one.resolve(fateOf(one.call, won));
    } catch (error) {
      const refused = isStatementError(error);
      if (!refused) void connection.abandon();
      if (batch.length === 1 || !refused) for (const one of batch) one.reject(error);
      else for (const one of batch) await writeBatch([one]);
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = batch.splice(largestBatch);
      await writeBatch(batch);
      options.committed();
    }
    running = null;
  };

  return {
    append: (call) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error("the committer has stopped"));
        waiting.push({ call, resolve, reject });
        running ??= drain();
      }),
    async stop() {
      stopped = true;
      await running;
      await connection.abandon();
    },
  };
}

function fateOf(call: CallWrites, won: ReadonlySet<string>): "written" | "lost" {
  const claim = claimOf(call);
  return claim === null || won.has(claim) ? "written" : "lost";
}

/** The statement was refused, by PostgreSQL (with an SQLSTATE) or before it was sent, as against a connection that broke with an unknown outcome. */
function isStatementError(error: unknown): boolean {
  if (error instanceof TypeError) return true; // a value that its column cannot hold, found before anything was sent
  return error instanceof pg.DatabaseError && error.code !== undefined && !error.code.startsWith("57") && !error.code.startsWith("08");
}
