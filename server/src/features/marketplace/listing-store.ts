import {
  all,
  type Changes,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  rowsOf,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { BundleKind, ListingState } from "./words.ts";

/** A scope and a handle: contexts of calls are such, and jobs make one. */
export interface Here {
  readonly scope: Scope;
  readonly db: Statements;
}

export type ListingOrigin = "own" | "imported" | "starter";

export interface ListingRow extends Omit<Row<"marketplace_listings">, "kind" | "state" | "origin" | "visibility"> {
  readonly kind: BundleKind;
  readonly state: ListingState;
  readonly origin: ListingOrigin;
  readonly visibility: "private" | "public";
}

const listings = (ctx: Here) => select(ctx, "marketplace_listings", "l").selectAll("l").$castTo<ListingRow>();

/** A listing of the organization, whatever its state. */
export async function findListing(ctx: Here, id: string): Promise<ListingRow | undefined> {
  return isId(id, "lst") ? first(ctx, listings(ctx).where("l.id", "=", id)) : undefined;
}

/** The listing, locked until the transaction ends: what is done to its versions goes one after the other. */
export const lockListing = async (ctx: Here, id: string): Promise<ListingRow> =>
  (await first(ctx, listings(ctx).where("l.id", "=", id).forUpdate())) as ListingRow;

/** A publisher's listing of this name. */
export const findListingNamed = (ctx: Here, publisher: string, name: string): Promise<ListingRow | undefined> =>
  first(ctx, listings(ctx).where("l.publisher_id", "=", publisher).where("l.name", "=", name));

export interface ListingFilter {
  readonly q?: string;
  readonly kind?: BundleKind;
  readonly business_function?: string;
  readonly state?: readonly ListingState[];
  readonly publisher?: string;
  readonly origin?: ListingOrigin;
}

/** A page of listings, newest first; approved ones unless `state` names others. `submitted` finds any of which a version waits. */
export function listListingRows(ctx: Here, filter: ListingFilter, page: PageRequest): Promise<ListingRow[]> {
  const { q = "", kind, business_function: of, state = ["approved"], publisher, origin } = filter;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const text = sql<string>`lower(concat_ws(' ', l.name, l.business_function, v.manifest::jsonb ->> 'title', v.manifest::jsonb ->> 'summary'))`;
  const waits = sql<boolean>`exists (select from marketplace_versions w where w.organization = l.organization and w.listing_id = l.id and w.state = 'submitted')`;
  let query = select(ctx, "marketplace_listings", "l")
    .innerJoin(rowsOf(ctx, "marketplace_versions", "v"), (on) =>
      on.onRef("v.listing_id", "=", "l.id").onRef("v.version", "=", "l.shown"),
    )
    .selectAll("l")
    .where((l) => l.or([l("l.state", "in", [...state]), ...(state.includes("submitted") ? [waits] : [])]))
    .$if(kind !== undefined, (some) => some.where("l.kind", "=", kind as BundleKind))
    .$if(of !== undefined, (some) => some.where(sql<boolean>`lower(l.business_function) = lower(${of ?? ""})`))
    .$if(publisher !== undefined, (some) => some.where("l.publisher_id", "=", publisher ?? ""))
    .$if(origin !== undefined, (some) => some.where("l.origin", "=", origin as ListingOrigin));
  for (const word of words) query = query.where(sql<boolean>`position(${word} in ${text}) > 0`);
  return all(ctx, newestFirst(query.$castTo<ListingRow>(), "l.id", page));
}

/** Inserts a listing of the caller; undefined: the publisher has one of this name. */
export async function insertListing(
  ctx: WriteContext,
  row: Omit<NewRow<"marketplace_listings">, "created_by" | "created_at" | "updated_at">,
): Promise<ListingRow | undefined> {
  const now = new Date(ctx.now);
  const values = { ...row, created_by: ctx.principal.id, created_at: now, updated_at: now };
  const made = insert(ctx, "marketplace_listings", values).onConflict((on) =>
    on.columns(["organization", "publisher_id", "name"]).doNothing(),
  );
  return first(ctx, made.returningAll().$castTo<ListingRow>());
}

/** Changes a listing, and counts its revision up. */
export async function updateListing(
  ctx: Pick<WriteContext, "scope" | "db" | "now">,
  id: string,
  changes: Changes<"marketplace_listings">,
): Promise<ListingRow> {
  const changed = update(ctx, "marketplace_listings")
    .set({ ...changes, updated_at: new Date(ctx.now) })
    .set((listing) => ({ revision: listing("revision", "+", 1) }))
    .where("id", "=", id);
  return (await first(ctx, changed.returningAll().$castTo<ListingRow>())) as ListingRow;
}
