import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PublisherRow } from "../publishers/resource.ts";
import { listPublishers } from "../publishers/store.ts";
import type { ListingRow } from "./resource.ts";
import { listShown, type VersionRow } from "./version-store.ts";

export interface CatalogueEntry {
  readonly listing: ListingRow;
  readonly version: VersionRow;
  readonly publisher: PublisherRow;
  readonly rating: { readonly mean: number; readonly ratings: number } | null;
  readonly installs: number;
}

/** In the order of the listings. */
export async function readEntries(ctx: QueryContext, listings: readonly ListingRow[]): Promise<CatalogueEntry[]> {
  const ids = listings.map(({ id }) => id);
  if (ids.length === 0) return [];
  const shown = await listShown(ctx, listings);
  const publishers = await listPublishers(
    ctx,
    listings.map(({ publisher_id }) => publisher_id),
  );
  const ratings = await listRatings(ctx, ids);
  const installs = await countInstalls(ctx, ids);
  return listings.map((listing, at) => ({
    listing,
    version: shown[at] as VersionRow,
    publisher: publishers.get(listing.publisher_id) as PublisherRow,
    rating: ratings.get(listing.id) ?? null,
    installs: installs.get(listing.id) ?? 0,
  }));
}

async function listRatings(
  ctx: QueryContext,
  ids: readonly string[],
): Promise<Map<string, { mean: number; ratings: number }>> {
  const query = select(ctx, "marketplace_ratings", "r")
    .select([
      "r.listing_id",
      sql<number>`count(*)::int`.as("ratings"),
      sql<number>`round(avg(r.stars), 2)::float8`.as("mean"),
    ])
    .where("r.listing_id", "in", [...ids])
    .groupBy("r.listing_id");
  return new Map((await all(ctx, query)).map(({ listing_id, ...rating }) => [listing_id, rating]));
}

/** Installs in all environments. */
async function countInstalls({ db, scope }: QueryContext, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ listing_id: string; installs: number }>(
    "select listing_id, count(*)::int as installs from marketplace_installs where organization = $1 and listing_id = any($2) and state <> 'removed' group by listing_id",
    [scope.organization, ids],
  );
  return new Map(rows.map(({ listing_id, installs }) => [listing_id, installs]));
}

/** Since the listing was last reviewed. */
export async function countOpenReports(ctx: QueryContext, { id, reviewed_at }: ListingRow): Promise<number> {
  const query = select(ctx, "marketplace_reports", "r")
    .select(sql<number>`count(*)::int`.as("reports"))
    .where("r.listing_id", "=", id)
    .$if(reviewed_at !== null, (some) => some.where("r.created_at", ">", reviewed_at as Date));
  return (await all(ctx, query))[0]?.reports ?? 0;
}

export async function countListings(ctx: QueryContext, publisher: string): Promise<number> {
  const query = select(ctx, "marketplace_listings", "l").select(sql<number>`count(*)::int`.as("listings"));
  return (await all(ctx, query.where("l.publisher_id", "=", publisher)))[0]?.listings ?? 0;
}
