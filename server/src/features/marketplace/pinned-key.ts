import { BundleFault, checkRotations, type Publisher } from "@aos/bundle";
import type { WriteContext } from "../../kernel/context.ts";
import { identityOf, lockPublisher, type PublisherRow, travelling, updatePublisher } from "./publisher-store.ts";

/** A publisher's key that a consent accepts. */
export interface AcceptedKey {
  readonly publisher_id: string;
  readonly key_id: string;
  /** The publisher with all its keys, as in the bundle. */
  readonly publisher: Publisher;
}

/** How the key of a bundle stands to the one that this organization accepted. */
export type KeyChange = "first" | "same" | "rotated" | "foreign";

/**
 * How a bundle's key stands to the pinned one: none was pinned yet; it is this one, or a former one, which was trusted when the bundle came; the pinned key
 * vouches for it; `foreign`: it does not. `publisher` is the one in the bundle.
 */
export function keyChangeOf(row: PublisherRow, publisher: Publisher): KeyChange {
  const key = publisher.keys.at(-1)?.key_id as string;
  if (row.own || row.pinned_key === key) return "same";
  if (row.pinned_key === null) return "first";
  const known = travelling(row).keys.map(({ key_id }) => key_id);
  if (known.slice(0, Math.max(0, known.indexOf(row.pinned_key))).includes(key)) return "same";
  try {
    checkRotations(row.pinned_key, publisher);
    return "rotated";
  } catch (error) {
    if (error instanceof BundleFault) return "foreign";
    throw error;
  }
}

/** Pins the key: what it vouches for is trusted from now on, and former keys sign nothing new. A former key never takes the place of a later one. */
export async function acceptKey(ctx: WriteContext, { publisher_id, key_id, publisher }: AcceptedKey): Promise<void> {
  const row = (await lockPublisher(ctx, publisher_id)) as PublisherRow;
  const change = keyChangeOf(row, publisher);
  if (change !== "first" && change !== "rotated") return;
  const { id: _id, ...identity } = identityOf(publisher);
  const known = travelling(row).keys.some((key) => key.key_id === key_id);
  const pinned = { pinned_key: key_id, pinned_at: new Date(ctx.now), pinned_by: ctx.principal.id };
  await updatePublisher(ctx, publisher_id, { ...(known ? {} : identity), ...pinned });
}
