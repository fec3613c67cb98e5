import { setTimeout as delay } from "node:timers/promises";
import { InfrastructureError } from "./errors.ts";

// Faults of the database and of the machine that pass: the same work may succeed a moment later.

/**
 * SQLSTATE classes and codes: connection, resources such as disk and connections, shutdown and start, timeouts, serialization, deadlock, input and output errors,
 * a primary that became a standby (PostgreSQL, appendix A).
 */
const states = /^(?:08...|53...|57P0[1-5]|57014|55P03|40001|40P01|25P0[34]|25006|58030)$/;
/** Codes of the operating system for connections. */
const connectionCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);
/** Codes of a machine that is out of disk, files or memory, and of a thread that ran out of memory or is gone. */
const machineCodes: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EIO",
  "ERR_WORKER_OUT_OF_MEMORY",
  "ERR_WORKER_NOT_RUNNING",
]);
/** What `pg`, its pool and the pool of threads (`threads.ts`) say where they give no code. */
const messages =
  /^(?:a thread ended with|the threads are closed|timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;

/** Whether a fault says nothing about what was asked for: no connection was free, a statement took too long, the connection broke, or an inside call met such a fault. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof InfrastructureError) return true;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string" && (states.test(code) || connectionCodes.has(code) || machineCodes.has(code)))
    return true;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  return messages.test(error.message) || (error.cause !== undefined && isTransient(error.cause));
}

/** Of a transient fault, whether it is this machine's, not the database's. */
export function isOfMachine(error: unknown): boolean {
  const { code, message = "", cause } = (error ?? {}) as { code?: unknown; message?: string; cause?: unknown };
  if (typeof code === "string") return machineCodes.has(code);
  return /^(?:a thread ended with|the threads are closed)/.test(message) || (cause !== undefined && isOfMachine(cause));
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
