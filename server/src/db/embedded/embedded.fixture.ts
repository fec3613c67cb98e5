/**
 * A service in small, for the tests of the embedded database: starts it in the folder given, prints one line of JSON, and stays. On SIGTERM it drains first: it
 * waits until its standard input ends, works with the database once more, and stops it last.
 */
import { text } from "node:stream/consumers";
import pg from "pg";
import { startEmbedded } from "./index.ts";

const [dataDir = ""] = process.argv.slice(2);
try {
  const database = await startEmbedded({ dataDir, log: { info: () => undefined, warn: () => undefined }, waitMs: 200 });
  process.on("SIGTERM", async () => {
    process.stdout.write(`${JSON.stringify({ draining: true })}\n`);
    await text(process.stdin);
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    const { rows } = await client.query("select 1 as one");
    await client.end();
    await database.stop();
    process.stdout.write(`${JSON.stringify({ drained: rows[0] })}\n`, () => process.exit(0));
  });
  process.stdout.write(`${JSON.stringify({ up: database.connectionString })}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: (error as Error).message })}\n`, () => process.exit(1));
}
