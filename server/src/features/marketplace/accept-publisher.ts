import { BundleFault, checkRotations, type Publisher } from "@aos/bundle";
import { all, remove, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { publisherKeyChanged } from "./errors.ts";
import {
  identityOf,
  insertPublisher,
  lockPublisher,
  type PublisherRow,
  signingKeyId,
  travelling,
  updatePublisher,
} from "./publisher-store.ts";
import { listStatesOf } from "./version-store.ts";

/**
 * The row of a bundle's publisher, made where there is none, and locked. Its key has to follow from the one that was consented to, or before any consent from
 * the one that came first; throws `publisher_key_changed` otherwise. A publisher that nobody trusted, because all that came of it was rejected, gives way.
 */
export async function acceptPublisher(ctx: WriteContext, publisher: Publisher): Promise<PublisherRow> {
  const row = (await lockPublisher(ctx, publisher.publisher_id)) ?? (await insertPublisher(ctx, identityOf(publisher)));
  const fault = keyFault(row, publisher);
  if (fault === null) return isKnown(row, publisher) ? row : updatePublisher(ctx, row.id, identityOf(publisher));
  if (await isTrusted(ctx, row)) throw refuse(publisherKeyChanged, fault, { members: { publisher_id: row.id } });
  await moveAside(ctx, row);
  return insertPublisher(ctx, identityOf(publisher));
}

/** Why a publisher's key does not follow from the one that is trusted; null: it does. */
function keyFault(row: PublisherRow, publisher: Publisher): string | null {
  const key = signingKeyId(publisher);
  if (row.own)
    return key === row.key_id
      ? null
      : `The bundle says it is this organization's, but ${key} is not the key that signs for it.`;
  try {
    checkRotations(row.pinned_key ?? row.key_id, publisher);
    return null;
  } catch (error) {
    if (error instanceof BundleFault) return error.message;
    throw error;
  }
}

/** Whether the row has these keys already: an older bundle never takes later keys away. */
const isKnown = (row: PublisherRow, publisher: Publisher): boolean =>
  row.own || travelling(row).keys.some(({ key_id }) => key_id === signingKeyId(publisher));

async function isTrusted(ctx: WriteContext, row: PublisherRow): Promise<boolean> {
  if (row.own || row.pinned_key !== null) return true;
  return (await listStatesOf(ctx, row.id)).some((state) => state !== "rejected");
}

/** Keeps a publisher that nobody trusted, with its rejected listings, under its id and the time. */
async function moveAside(ctx: WriteContext, { organization: _organization, ...row }: PublisherRow): Promise<void> {
  const id = `${row.id}~${ctx.now.toString(36)}`;
  await insertPublisher(ctx, { ...row, id });
  await all(ctx, update(ctx, "marketplace_listings").set({ publisher_id: id }).where("publisher_id", "=", row.id));
  await all(ctx, remove(ctx, "marketplace_publishers").where("id", "=", row.id));
}
