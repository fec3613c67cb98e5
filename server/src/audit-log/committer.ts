import pg from "pg";
import { batchStatement, type CallWrites, type Claims, claimOf, type Written } from "./append-statement.ts";
import { createBatchRunner } from "./batch-query.ts";
import type { MeasureCommit } from "./commit-figures.ts";
import type { RecordWriter } from "./mac.ts";

export interface Committer {
  /** Durable when it resolves. `lost`: an earlier row held the claim, or the guard does not hold; nothing of the call was written. */
  append(call: CallWrites): Promise<"written" | "lost">;
  /** Writes what waits and closes the connection. */
  stop(): Promise<void>;
}

export interface CommitterOptions {
  readonly connection: pg.ClientConfig;
  /** This committer's own. */
  readonly writer: RecordWriter;
  /** Called after each commit; wakes the sequencer. */
  readonly committed: () => void;
  /** Default: nobody reads the figures. */
  readonly measure?: MeasureCommit;
  readonly report: (error: unknown) => void;
  readonly pipelined?: Pipelined;
  /** All statements have one shape, which grows with what they write: for calls that differ in what they write, and come together. */
  readonly uniform?: boolean;
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

/** How many statements may be under way. The first goes out at once, another only when so many calls wait that it is worth its own flush. */
export interface Pipelined {
  readonly statements: number;
  readonly calls: number;
}

/** They share a connection, on which PostgreSQL takes the next one up without waiting for us; measured with 64 callers, a tenth more than one at a time. */
const usuallyPipelined: Pipelined = { statements: 3, calls: 12 };

/** After a repetition was met, so many batches look for more of them. */
const wary = 64;

type Won = ReadonlyMap<string, string | null> | null;

/** A claim is an id; what the guard says follows after a space. */
function claimAndTold(text: string): [string, string | null] {
  const end = text.indexOf(" ");
  return end === -1 ? [text, null] : [text.slice(0, end), text.slice(end + 1)];
}

/** The committer's one connection, made when it is needed and again when it broke. */
class Connection {
  readonly #options: CommitterOptions;
  readonly #run = createBatchRunner();
  readonly #written: Written | undefined;
  #client: Promise<pg.Client> | null = null;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#written = options.uniform ? new Map() : undefined;
  }

  /** The claims that won, with what their guards say; null where none were checked. */
  async write(calls: readonly CallWrites[], claims: Claims): Promise<Won> {
    const statement = batchStatement(calls, claims, this.#options.writer, this.#written);
    this.#client ??= this.#connect();
    const client = await this.#client;
    const [row] = await this.#run(client, statement);
    const won = (row as { won: string[] | null } | undefined)?.won;
    return won ? new Map(won.map(claimAndTold)) : null;
  }

  #connect(): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: patience, statement_timeout: statementLimit, query_timeout: patience };
    const fresh = new pg.Client({ ...this.#options.connection, ...limits, pipeline: true });
    const ready = fresh.connect().then(() => fresh);
    const drop = (): void => {
      if (this.#client === ready) this.#client = null;
    };
    fresh.on("error", (error) => {
      drop();
      this.#options.report(error);
    });
    fresh.on("end", drop);
    ready.catch(drop);
    return ready;
  }

  /** A connection on which a statement has an unknown end cannot be used any longer. */
  async abandon(): Promise<void> {
    const broken = this.#client;
    this.#client = null;
    await broken?.then((client) => client.end()).catch(() => undefined);
  }
}

/**
 * Group commit: while statements are under way the calls that come are gathered, and the next statement writes them all. A statement that fails is
 * repeated call by call, so that one bad call harms no other.
 */
export function createCommitter(options: CommitterOptions): Committer {
  const connection = new Connection(options);
  let waiting: Waiting[] = [];
  let underWay = 0;
  let watch = 0;
  let idle: (() => void) | null = null;
  let stopped = false;
  const pipelined = options.pipelined ?? usuallyPipelined;

  const write = async (batch: readonly Waiting[], claims: Claims): Promise<void> => {
    try {
      const calls = batch.map((one) => one.call);
      const won = await connection.write(calls, claims);
      const fates = batch.map(({ call }) => fateOf(call, won));
      if (fates.some((fate, i) => fate === "lost" && !batch[i]?.call.guard)) watch = wary;
      for (const [i, one] of batch.entries()) {
        if (fates[i] === "written") options.writer.acknowledged(one.call.record);
        one.resolve(fates[i] as "written" | "lost");
      }
    } catch (error) {
      const repeated = claims === "assume" && isUniqueViolation(error);
      const refused = isStatementError(error);
      if (repeated) watch = wary;
      if (!refused) void connection.abandon();
      if (repeated) await write(batch, "check");
      else if (batch.length === 1 || !refused) for (const one of batch) one.reject(error);
      else for (const one of batch) await write([one], "check");
    }
  };

  const isWorthAFlush = () => underWay < pipelined.statements && waiting.length >= pipelined.calls;
  const send = (): void => {
    while (waiting.length > 0 && (underWay === 0 || isWorthAFlush())) {
      const batch = waiting;
      waiting = batch.splice(largestBatch);
      underWay++;
      const began = performance.now();
      void write(batch, watch-- > 0 ? "check" : "assume").then(() => {
        underWay--;
        options.measure?.(batch.length, (performance.now() - began) / 1000);
        options.committed();
        send();
        if (underWay === 0) idle?.();
      });
    }
  };

  return {
    append: (call) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error("the committer has stopped"));
        waiting.push({ call, resolve, reject });
        send();
      }),
    async stop() {
      stopped = true;
      if (underWay > 0)
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      await connection.abandon();
    },
  };
}

function fateOf(call: CallWrites, won: Won): "written" | "lost" {
  const claim = claimOf(call);
  if (won === null || claim === null) return "written";
  const told = won.get(claim);
  if (told === undefined) return "lost";
  if (told !== null) call.guard?.told?.(told);
  return "written";
}

/** A row that claims an idempotency key met one that has it (or, which nobody expects, an id came twice). */
const isUniqueViolation = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "23505";

/** The statement was refused, by PostgreSQL (with an SQLSTATE) or before it was sent, as against a connection that broke with an unknown outcome. */
function isStatementError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true; // a value that its column cannot hold, found before anything was sent
  return (
    error instanceof pg.DatabaseError &&
    error.code !== undefined &&
    !error.code.startsWith("57") &&
    !error.code.startsWith("08")
  );
}
