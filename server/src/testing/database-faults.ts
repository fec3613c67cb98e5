import pg from "pg";
import { afterAll, beforeAll } from "vitest";

// Faults of the database, made by the database itself: a statement that is chosen meets one in place of being carried out.

/** Each is a statement that fails on the same connection, as the chosen one would have. */
const statements = {
  statement_timeout: "set statement_timeout = 1; select pg_sleep(5)",
  connection_lost: "select pg_terminate_backend(pg_backend_pid())",
  serialization_failure: "do $$ begin raise exception using errcode = '40001'; end $$",
  deadlock: "do $$ begin raise exception using errcode = '40P01'; end $$",
  disk_full: "do $$ begin raise exception using errcode = '53100'; end $$",
  /** No fault of the machine but of ours, such as a statement that was not renamed with its table. */
  broken_statement: "select * from no_such_table",
} as const;

export type DatabaseFault = keyof typeof statements;
export const databaseFaults = Object.keys(statements) as DatabaseFault[];

/** Which fault a statement meets; undefined: none. */
export type ChooseFault = (text: string) => DatabaseFault | undefined;

export interface DatabaseFaults {
  /** From now on statements meet what this chooses, until it is changed or cleared. */
  choose(choose: ChooseFault): void;
  clear(): void;
  /** Faults that were met since they were chosen. */
  readonly met: number;
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** Statements of connections whose application has this name, such as `aos-test-worker`, meet faults when a test chooses some. */
export function useDatabaseFaults(application: string): DatabaseFaults {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let chosen: ChooseFault | null = null;
  let met = 0;

  function query(this: pg.Client, ...given: unknown[]): unknown {
    const text = textOf(given[0]);
    const { application_name: name } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters;
    const fault = text !== undefined && name?.startsWith(application) ? chosen?.(text) : undefined;
    if (fault === undefined) return original.apply(this, given);
    met += 1;
    const failing = original.call(this, statements[fault]) as Promise<unknown>;
    const failed = failing.then(() => Promise.reject(new Error("the fault did not fail")));
    const callback = given.findLast((one) => typeof one === "function") as ((error: unknown) => void) | undefined;
    if (!callback) return failed;
    failed.catch((error: unknown) => callback(error));
    return undefined;
  }
  beforeAll(() => {
    prototype.query = query;
  });
  afterAll(() => {
    prototype.query = original;
  });
  return {
    choose(choose) {
      chosen = choose;
      met = 0;
    },
    clear() {
      chosen = null;
    },
    get met() {
      return met;
    },
  };
}

/** Undefined: nothing that a test chooses among, such as a cursor or the queue's own bookkeeping. */
function textOf(given: unknown): string | undefined {
  const text = typeof given === "string" ? given : (given as { text?: unknown } | null)?.text;
  if (typeof text !== "string" || typeof (given as { submit?: unknown }).submit === "function") return undefined;
  return /graphile_worker|^(?:begin|commit|rollback|listen|set )/i.test(text) && !/add_job/.test(text)
    ? undefined
    : text;
}
