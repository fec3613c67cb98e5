import { all, select } from "../../db/scoped.ts";
import type { ReadContext } from "../../kernel/context.ts";

/** The names of the environment's connections. */
export async function presentConnections(ctx: ReadContext): Promise<ReadonlySet<string>> {
  const rows = await all(ctx, select(ctx, "connections", "c").select("c.name"));
  return new Set(rows.map(({ name }) => name));
}
