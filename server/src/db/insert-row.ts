import type { AppendTable } from "../kernel/append.ts";
import type { WriteContext } from "../kernel/context.ts";

/** Writes a row of a table that calls otherwise append to in groups, inside this call's own transaction. */
export async function insertRow<R extends Record<string, unknown>>(
  ctx: WriteContext,
  table: AppendTable<R>,
  row: R,
): Promise<void> {
  const names = table.columns.map(([name]) => name);
  const values = table.columns.map(([, type, as], index) => `$${index + 1}::${type}${as ? `::${as}` : ""}`);
  const scope: Record<string, unknown> = { ...ctx.scope };
  await ctx.db.query(
    `insert into ${table.table} (${names.join(", ")}) values (${values.join(", ")})`,
    names.map((name) => scope[name] ?? row[name]),
  );
}
