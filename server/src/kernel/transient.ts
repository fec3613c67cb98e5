import { setTimeout as delay } from "node:timers/promises";

// Faults of the database that pass: the same statement may succeed a moment later.

/** SQLSTATE classes and codes: connection, resources, shutdown and start, timeouts, serialization, deadlock (PostgreSQL, appendix A). */
const states = /^(?:08...|53...|57P0[1-5]|57014|55P03|40001|40P01|25P0[34])$/;
/** Codes of the operating system. */
const systemCodes: ReadonlySet<string> = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN".split(" "),
);
/** What `pg` and its pool say where they give no code. */
const messages =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;

/** Whether a fault says nothing about what was asked for: no connection was free, a statement took too long, the connection broke. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string" && (states.test(code) || systemCodes.has(code))) return true;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  return messages.test(error.message) || (error.cause !== undefined && isTransient(error.cause));
}

/** Whether a statement waited for a lock for as long as it may (`lock_not_available`): others work on the same rows. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === "55P03";

/** How often something is tried, and how long is waited after the first time (milliseconds), twice as long each time. */
export interface Patience {
  readonly tries: number;
  readonly pauseMs: number;
}

const standard: Patience = { tries: 6, pauseMs: 100 };

/** Does a piece of work again after a transient fault; the last one is thrown. `work` has to bear being done twice. */
export async function retryTransient<T>(work: () => Promise<T>, { tries, pauseMs }: Patience = standard): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === tries || !isTransient(error)) throw error;
      await delay(pauseMs * 2 ** (tried - 1));
    }
  }
}
