import type { Publisher } from "@aos/bundle";
import type { NewRow } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Query } from "../../../resources/rows.ts";
import { type PublisherRow, publishers } from "./resource.ts";

const named = (query: Query<PublisherRow>, reference: string): Query<PublisherRow> =>
  reference === "own" ? query.where("r.own", "=", true) : query.where("r.id", "=", reference);

/** `own`: the publisher that the organization signs as. */
export const findPublisher = (ctx: QueryContext, reference: string): Promise<PublisherRow | undefined> =>
  publishers.findBy(ctx, (query) => named(query, reference));

/** Until the transaction ends: signing and importing are serialized. */
export const lockPublisher = (ctx: QueryContext, reference: string): Promise<PublisherRow | undefined> =>
  publishers.findBy(ctx, (query) => named(query, reference).forUpdate());

export async function listPublishers(ctx: QueryContext, ids: readonly string[]): Promise<Map<string, PublisherRow>> {
  if (ids.length === 0) return new Map();
  const rows = await publishers.list(ctx, (query) => query.where("r.id", "in", [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Columns derived from the bundle's publisher. */
export const identityOf = (publisher: Publisher) => ({
  id: publisher.publisher_id,
  name: publisher.name,
  publisher,
  key_id: signingKeyId(publisher),
});

/** The latest key. */
export const signingKeyId = ({ keys }: Publisher): string => keys.at(-1)?.key_id as string;

type NewPublisher = Omit<NewRow<"marketplace_publishers">, "publisher" | "created_at"> &
  Pick<PublisherRow, "publisher">;

/** Unless another call inserted it meanwhile; locks it. */
export const insertPublisher = async (ctx: WriteContext, row: NewPublisher): Promise<PublisherRow> =>
  (await publishers.insertUnlessTaken(ctx, { ...row, created_at: new Date(ctx.now) })) ??
  ((await lockPublisher(ctx, row.own ? "own" : row.id)) as PublisherRow);
