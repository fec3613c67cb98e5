import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";
import type { ReadContext } from "./context.ts";
import {
  defineRead,
  type Empty,
  type Exempt,
  exempt,
  type Governs,
  type Operation,
  type PolicyFacts,
  type ReadSpec,
} from "./operation.ts";
import { PAGE_LIMIT, type Position, pageOf } from "./page.ts";

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
  readonly after: Position | undefined;
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

type ListQuery<T extends TProperties> = ReturnType<typeof listQuery<T>>;
type PageSchema<I extends TSchema> = ReturnType<typeof pageSchema<I>>;

interface ListSpec<P extends TObject, T extends TProperties, I extends TSchema, Row, L, F extends PolicyFacts>
  extends Omit<
    ReadSpec<P, ListQuery<T>, PageSchema<I>, L, F>,
    "query" | "output" | "example" | "load" | "compliance" | "handle" | "revision"
  > {
  readonly filters?: T;
  readonly item: I;
  readonly example: { readonly params?: Static<P>; readonly item: Static<I> };
  /** Needed where the path names something. */
  readonly load?: ReadSpec<P, ListQuery<T>, PageSchema<I>, L, F>["load"];
  readonly compliance: Governs<Static<P>, unknown, undefined, L, F> | Exempt;
  /** What cursors are bound to besides path and filters. Default `-created_at`. */
  readonly sort?: string;
  /** `page.take` rows behind `page.after`: one more than shown. */
  read(ctx: ReadContext, filter: Static<TObject<T>>, page: PageRequest, loaded: L): Promise<Row[]>;
  /** Where the page after this row begins: its sort keys and id, or its id alone. */
  position(row: Row): Position | string;
  view(row: Row, ctx: ReadContext, loaded: L): Static<I>;
}

/** Declares a read that answers a page of things. */
export function defineList<
  I extends TSchema,
  Row,
  L,
  F extends PolicyFacts,
  P extends TObject = Empty,
  T extends TProperties = Record<never, never>,
>(spec: ListSpec<P, T, I, Row, L, F>): Operation {
  const { filters = {} as T, item, example, sort = "-created_at", read, position, view, ...rest } = spec;
  const { item: shown, ...named } = example;
  if (spec.params && !spec.load) throw new Error(`${spec.id} does not say what its path names: declare \`load\``);
  return defineRead({
    load: exempt("names no object; the list holds what the key may see"),
    ...rest,
    query: listQuery(filters),
    output: pageSchema(item),
    example: { ...named, output: { data: [shown], has_more: false, next_cursor: null } },
    handle(ctx, { params, query, loaded }) {
      const { limit: _limit, cursor: _cursor, ...filter } = query as { limit?: number; cursor?: string };
      return listPage(
        ctx,
        query as object,
        { ...params, ...filter },
        {
          sort,
          read: (page) => read(ctx, filter as Static<TObject<T>>, page, loaded),
          positionOf: (row) => {
            const place = position(row);
            return typeof place === "string" ? { keys: [], id: place } : place;
          },
          item: (row) => view(row, ctx, loaded),
        },
      );
    },
  } as ReadSpec<P, ListQuery<T>, PageSchema<I>, L, F>);
}
