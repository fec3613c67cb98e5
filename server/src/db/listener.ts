import type pg from "pg";

export interface ListenerParts {
  readonly pool: pg.Pool;
  /** An identifier of PostgreSQL. */
  readonly channel: string;
  readonly heard: (payload: string) => void;
  /** A connection listens from now on; what was sent before may have been missed. */
  readonly began: () => void;
}

/** Listens for notifications on a connection of its own. `ensure` opens another one where the last was lost. */
export function createListener({ pool, channel, heard, began }: ListenerParts) {
  let listener: pg.PoolClient | null = null;
  const drop = (client: pg.PoolClient): void => {
    if (listener !== client) return;
    listener = null;
    client.release(true);
  };
  return {
    async ensure(): Promise<void> {
      if (listener) return;
      const client = await pool.connect();
      client.on("notification", ({ payload }) => heard(payload ?? ""));
      client.on("error", () => drop(client));
      try {
        await client.query(`listen ${channel}`);
      } catch (error) {
        client.release(true);
        throw error;
      }
      listener = client;
      began();
    },
    stop(): void {
      if (listener) drop(listener);
    },
  };
}
