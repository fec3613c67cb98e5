import type { TestApp } from "../../../testing/app.ts";

/** A word that nothing of the service itself says. */
export const markerWord = "quaggamuseum";

/** The tables in which the word stands, as text in any form or as bytes. */
export async function tablesHolding(app: TestApp): Promise<string[]> {
  const { rows } = await app.pool.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  const found: string[] = [];
  const hex = Buffer.from(markerWord.slice(1, -1)).toString("hex");
  for (const { relname } of rows) {
    const holding = `select from "${relname}" t where t::text ~* $1 limit 1`;
    if ((await app.pool.query(holding, [`quaggamus|${hex}`])).rowCount) found.push(relname);
  }
  return found.sort();
}
