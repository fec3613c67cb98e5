import { rowsOf, sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Query } from "../../../resources/rows.ts";
import type { BundleKind, ListingState } from "../schema-words.ts";
import { type ListingRow, listingRows } from "./resource.ts";

/** Until the transaction ends: changes of its versions are serialized. */
export const lockListing = async (ctx: WriteContext, id: string): Promise<ListingRow> =>
  (await listingRows.lock(ctx, id)) as ListingRow; // rows are never deleted

/** By publisher and name. */
export const findListingNamed = (ctx: QueryContext, publisher: string, name: string): Promise<ListingRow | undefined> =>
  listingRows.findBy(ctx, (query) => query.where("r.publisher_id", "=", publisher).where("r.name", "=", name));

interface ListingFilter {
  readonly q?: string;
  readonly kind?: BundleKind;
  readonly business_function?: string;
  readonly state?: readonly ListingState[];
  readonly publisher?: string;
  readonly origin?: ListingRow["origin"];
}

/** Approved ones unless `state` names others. `submitted` finds any with a version that waits. */
export function filtered(ctx: QueryContext, listed: Query<ListingRow>, filter: ListingFilter): Query<ListingRow> {
  const { q = "", kind, business_function: of, state = ["approved"], publisher, origin } = filter;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const text = sql<string>`lower(concat_ws(' ', r.name, r.business_function, v.manifest::jsonb ->> 'title', v.manifest::jsonb ->> 'summary'))`;
  const waits = sql<boolean>`exists (select from marketplace_versions w where w.organization = r.organization and w.listing_id = r.id and w.state = 'submitted')`;
  let query = listed
    .innerJoin(rowsOf(ctx, "marketplace_versions", "v"), (on) =>
      on.onRef("v.listing_id", "=", "r.id").onRef("v.version", "=", "r.shown"),
    )
    .where((r) => r.or([r("r.state", "in", [...state]), ...(state.includes("submitted") ? [waits] : [])]))
    .$if(kind !== undefined, (some) => some.where("r.kind", "=", kind as BundleKind))
    .$if(of !== undefined, (some) => some.where(sql<boolean>`lower(r.business_function) = lower(${of ?? ""})`))
    .$if(publisher !== undefined, (some) => some.where("r.publisher_id", "=", publisher ?? ""))
    .$if(origin !== undefined, (some) => some.where("r.origin", "=", origin as ListingRow["origin"]));
  for (const word of words) query = query.where(sql<boolean>`position(${word} in ${text}) > 0`);
  return query as unknown as Query<ListingRow>;
}
