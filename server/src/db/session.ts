import type pg from "pg";
import type { Reader } from "../kernel/db.ts";
import { named } from "./named.ts";

/** Where sessions come from. */
export type SessionPool = Pick<pg.Pool, "connect">;

/** One connection for a machine that needs the same one for several statements, such as under an advisory lock. */
export interface Session {
  readonly query: Reader["query"];
  /** Gives the connection back. */
  release(): void;
  /** Closes it, and with it whatever the session holds. */
  abandon(): void;
}

/** Takes a connection. `prepared`: it plans each statement once (see {@link named}). */
export async function openSession(pool: SessionPool, { prepared = false } = {}): Promise<Session> {
  const client = await pool.connect();
  return {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (
        await client.query<R & pg.QueryResultRow>(
          prepared ? named(text, values) : { text, values: values as unknown[] },
        )
      ).rows as R[],
    release: () => client.release(),
    abandon: () => client.release(true),
  };
}
