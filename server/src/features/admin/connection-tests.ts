import { all, select } from "../../db/scoped.ts";
import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { ConnectionTest } from "./connections-schemas.ts";

/** How the last test of a connection went: `at` null: it was not tested since it changed; `code` null: it passed. */
export interface ConnectionTestResult {
  readonly at: string | null;
  readonly code: string | null;
}

/** The last tests of those of the connections that the environment has, by name. */
export async function connectionTests(
  ctx: Pick<CallContext, "scope"> & { readonly db: Statements },
  names: readonly string[],
): Promise<ReadonlyMap<string, ConnectionTestResult>> {
  if (names.length === 0) return new Map();
  const query = select(ctx, "connections", "c")
    .select(["c.name", "c.test"])
    .where("c.name", "in", [...names]);
  const rows = await all(ctx, query);
  return new Map(
    rows.map(({ name, test }) => {
      const last = test === null ? null : (JSON.parse(test) as ConnectionTest);
      return [name, { at: last?.tested_at ?? null, code: last?.code ?? null }];
    }),
  );
}
