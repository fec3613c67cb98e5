import type { WriteContext } from "../../kernel/context.ts";
import { deadSince } from "./key-sql.ts";

// Who rules over the keys and roles of an environment: without anybody who does, it could be administered on the host only.

/**
 * SQL: whether a key `k` of an owner `m` rules: it can issue any key and give any role, so it is an admin's, not limited to scopes or agents, and neither
 * ended nor about to end by revocation. `at`: the time, as an SQL expression.
 */
export function rules(at: string): string {
  return `(k.role = 'admin' and k.scopes is null and k.agents is null and ${deadSince} is null and (k.expires_at is null or k.expires_at > ${at}))`;
}

/**
 * Lets calls that may take away who rules over the environment decide one after the other, whether they end a key or take a role. Take it before
 * whatever is read to decide: the wait ends with the transaction of the one before.
 */
export async function lockRuling(ctx: WriteContext): Promise<void> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    ["ruling", organization, environment].join("\n"),
  ]);
}
