import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader } from "../../kernel/db.ts";
import type { Actor } from "../../kernel/principal.ts";

const issuersByKey = defineLoader<{ issuers: string[] }>(
  "issuers of a key",
  "select id as loader_key, issuers from keys where organization = $1 and environment = $2 and id = any($3::text[])",
);

/** Who called with a key, and with whom it stands for; of a session without a key its member alone. */
export async function actorWithKey(ctx: ReadContext | WriteContext, id: string, keyId: string | null): Promise<Actor> {
  const key = keyId === null ? undefined : await ctx.db.load(issuersByKey, ctx.scope, keyId);
  return { id, accountable: [id, ...(key?.issuers ?? [])] };
}
