import { BundleFault, checkRotations, type Publisher } from "@aos/bundle";
import { all, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { publisherKeyChanged } from "../errors.ts";
import { listStatesOf } from "../listings/version-store.ts";
import { type PublisherRow, publishers } from "./resource.ts";
import { identityOf, insertPublisher, lockPublisher, signingKeyId } from "./store.ts";

/** Inserts or locks the publisher. Throws `publisher_key_changed` unless its key follows from the accepted one or, before any consent, from the first one. An untrusted publisher, with nothing but rejected listings, gives way. */
export async function acceptPublisher(ctx: WriteContext, publisher: Publisher): Promise<PublisherRow> {
  const row = (await lockPublisher(ctx, publisher.publisher_id)) ?? (await insertPublisher(ctx, identityOf(publisher)));
  const fault = keyFault(row, publisher);
  if (fault === null && isKnown(row, publisher)) return row;
  if (fault === null) return (await publishers.update(ctx, row.id, identityOf(publisher))) as PublisherRow;
  if (await isTrusted(ctx, row)) throw refuse(publisherKeyChanged, fault, { members: { publisher_id: row.id } });
  await moveAside(ctx, row);
  return insertPublisher(ctx, identityOf(publisher));
}

/** Why the key does not follow from the trusted one. */
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

/** An older bundle does not remove later keys. */
const isKnown = (row: PublisherRow, publisher: Publisher): boolean =>
  row.own || row.publisher.keys.some(({ key_id }) => key_id === signingKeyId(publisher));

async function isTrusted(ctx: WriteContext, row: PublisherRow): Promise<boolean> {
  if (row.own || row.pinned_key !== null) return true;
  return (await listStatesOf(ctx, row.id)).some((state) => state !== "rejected");
}

/** Keeps an untrusted publisher with its rejected listings under another id. */
async function moveAside(ctx: WriteContext, row: PublisherRow): Promise<void> {
  const id = `${row.id}~${ctx.now.toString(36)}`;
  await insertPublisher(ctx, { ...row, id });
  await all(ctx, update(ctx, "marketplace_listings").set({ publisher_id: id }).where("publisher_id", "=", row.id));
  await publishers.remove(ctx, row.id);
}
