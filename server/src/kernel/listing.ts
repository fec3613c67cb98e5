import { type Static, type TProperties, type TSchema, Type } from "typebox";
import type { ReadContext } from "./context.ts";
import { PAGE_LIMIT, type Position, pageOf, type SortKey } from "./page.ts";

const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: PAGE_LIMIT.least,
      maximum: PAGE_LIMIT.most,
      default: PAGE_LIMIT.standard,
      description: "Items on a page.",
    }),
  ),
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the page before." })),
};

/** The query of a list: its filters, `limit` and `cursor`; nothing else is taken. */
export function listQuery<P extends TProperties>(filters: P) {
  return Type.Object({ ...filters, ...paging }, { additionalProperties: false });
}

/** A page on the wire. */
export function pageSchema<I extends TSchema>(item: I) {
  return Type.Object({
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });
}
export type PageOf<I extends TSchema> = Static<ReturnType<typeof pageSchema<I>>>;

/** What a store function needs to read one page: rows after `after`, `take` of them (one more than shown, which only says that there is more). */
export interface PageRequest {
  readonly after: { readonly keys: readonly SortKey[]; readonly id: string } | undefined;
  readonly take: number;
}

/**
 * Reads a page: opens the cursor for this filter and sort, lets the store read, makes the items and seals the next cursor.
 * `positionOf` gives the sort keys and id by which the store continues.
 */
export async function listPage<Row, Item>(
  ctx: ReadContext,
  query: { limit?: number; cursor?: string },
  filter: Readonly<Record<string, unknown>>,
  parts: {
    sort: string;
    read: (page: PageRequest) => Promise<Row[]>;
    positionOf: (row: Row) => Position;
    item: (row: Row) => Item;
  },
): Promise<{ data: Item[]; has_more: boolean; next_cursor: string | null }> {
  const limit = query.limit ?? PAGE_LIMIT.standard;
  const after = ctx.cursors.open(query.cursor, filter, parts.sort);
  const rows = await parts.read({ after, take: limit + 1 });
  const page = pageOf(rows, limit, parts.positionOf, (position) => ctx.cursors.seal(position, filter, parts.sort));
  return { ...page, data: page.data.map(parts.item) };
}
