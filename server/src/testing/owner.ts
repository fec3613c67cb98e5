import type { Pool, PoolClient } from "pg";

/**
 * Forges as the owner of the database can: no trigger of the log's tables fires for what `work` does. Needs a superuser, which the test server's user is.
 */
export async function asDatabaseOwner<T>(
  pool: Pick<Pool, "connect">,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    return await work(client);
  } finally {
    client.release(true); // ends the session: with it the setting
  }
}
