import { BundleFault, checkRotations, type Publisher } from "@aos/bundle";
import { first, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { PublisherRow } from "./publisher-store.ts";

/** A publisher's key that a consent accepts. */
export interface AcceptedKey {
  readonly publisher_id: string;
  readonly key_id: string;
  /** The publisher with all its keys, as in the bundle. */
  readonly publisher: Publisher;
}

/** How the key of a bundle stands to the one that this organization accepted. */
export type KeyChange = "first" | "same" | "rotated" | "foreign";

/** How a bundle's key stands to the pinned one; `foreign`: the pinned key does not vouch for it. */
export function keyChangeOf(row: PublisherRow, publisher: Publisher): KeyChange {
  if (row.own) return "same";
  if (row.pinned_at === null) return "first";
  try {
    return checkRotations(row.key_id, publisher).key_id === row.key_id ? "same" : "rotated";
  } catch (error) {
    if (error instanceof BundleFault) return "foreign";
    throw error;
  }
}

/** Pins the key: from now on it signs for the publisher, and former ones do not. */
export async function acceptKey(ctx: WriteContext, { publisher_id, key_id, publisher }: AcceptedKey): Promise<void> {
  const pinned = update(ctx, "marketplace_publishers")
    .set({ key_id, publisher: JSON.stringify(publisher), pinned_at: new Date(ctx.now), pinned_by: ctx.principal.id })
    .where("id", "=", publisher_id)
    .where("own", "=", false)
    .where((is) => is.or([is("pinned_at", "is", null), is("key_id", "<>", key_id)]));
  await first(ctx, pinned);
}
