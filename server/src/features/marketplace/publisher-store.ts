import type { Publisher } from "@aos/bundle";
import { all, type Changes, first, insert, type NewRow, type Row, select, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Here } from "./listing-store.ts";

export type PublisherRow = Row<"marketplace_publishers">;

const publishers = (ctx: Here) => select(ctx, "marketplace_publishers", "p").selectAll();

/** A publisher by its id; `own`: the one that the organization signs as. */
export async function findPublisher(ctx: Here, reference: string): Promise<PublisherRow | undefined> {
  const query = publishers(ctx);
  return first(ctx, reference === "own" ? query.where("p.own", "=", true) : query.where("p.id", "=", reference));
}

/** The same, locked until the transaction ends: what it signs and what comes of it goes one after the other. */
export async function lockPublisher(ctx: Here, reference: string): Promise<PublisherRow | undefined> {
  const query = publishers(ctx).forUpdate();
  return first(ctx, reference === "own" ? query.where("p.own", "=", true) : query.where("p.id", "=", reference));
}

/** Publishers by their ids. */
export async function listPublishers(ctx: Here, ids: readonly string[]): Promise<Map<string, PublisherRow>> {
  if (ids.length === 0) return new Map();
  const rows = await all(ctx, publishers(ctx).where("p.id", "in", [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Its identity, keys and rotations, as they travel. */
export const travelling = ({ publisher }: Pick<PublisherRow, "publisher">): Publisher => JSON.parse(publisher);

/** What of a publisher's row follows from what travels. */
export const identityOf = (publisher: Publisher): { id: string; name: string; publisher: string; key_id: string } => ({
  ...{ id: publisher.publisher_id, name: publisher.name, publisher: JSON.stringify(publisher) },
  key_id: signingKeyId(publisher),
});

/** The key that signs now. */
export const signingKeyId = ({ keys }: Publisher): string => keys.at(-1)?.key_id as string;

/** Inserts a publisher unless another call did meanwhile, and locks it. */
export async function insertPublisher(
  ctx: WriteContext,
  row: Omit<NewRow<"marketplace_publishers">, "created_at">,
): Promise<PublisherRow> {
  const values = { ...row, created_at: new Date(ctx.now) };
  await all(
    ctx,
    insert(ctx, "marketplace_publishers", values).onConflict((on) => on.doNothing()),
  );
  return (await lockPublisher(ctx, row.own ? "own" : row.id)) as PublisherRow;
}

export async function updatePublisher(
  ctx: Here,
  id: string,
  changes: Changes<"marketplace_publishers">,
): Promise<PublisherRow> {
  const changed = update(ctx, "marketplace_publishers").set(changes).where("id", "=", id);
  return (await first(ctx, changed.returningAll())) as PublisherRow;
}
