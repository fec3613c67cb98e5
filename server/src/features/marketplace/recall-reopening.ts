import { all, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";

/** Has the sweep look again after recalls of a version: an install of it ended after they came. */
export async function reopenRecalls(ctx: WriteContext, listing: string, version: string): Promise<void> {
  const open = update(ctx, "marketplace_recalls")
    .set({ done_at: null })
    .where("listing_id", "=", listing)
    .where("lifted_at", "is", null)
    .where(sql<boolean>`${version} = any(versions)`);
  await all(ctx, open);
}
