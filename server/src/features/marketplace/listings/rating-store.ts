import { all, first, insert, type Row, select, sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";

export type RatingRow = Omit<Row<"marketplace_ratings">, "organization">;

/** Replaces the member's earlier rating. */
export async function putRating(
  ctx: WriteContext,
  rating: Pick<RatingRow, "listing_id" | "stars" | "body" | "version">,
): Promise<RatingRow> {
  const at = new Date(ctx.now);
  const installed = await isInstalled(ctx, rating.listing_id);
  const row = { ...rating, member: ctx.principal.id, installed, created_at: at, updated_at: at };
  const { body, stars, version } = rating;
  const put = insert(ctx, "marketplace_ratings", row)
    .onConflict((on) =>
      on
        .columns(["organization", "listing_id", "member"])
        .doUpdateSet({ body, stars, version, installed, updated_at: at }),
    )
    .returningAll();
  return (await first(ctx, put)) as RatingRow;
}

/** In any environment of the organization. */
async function isInstalled({ db, scope }: QueryContext, listing: string): Promise<boolean> {
  const rows = await db.query(
    "select from marketplace_installs where organization = $1 and listing_id = $2 and state in ('installed', 'incomplete') limit 1",
    [scope.organization, listing],
  );
  return rows.length > 0;
}

/** Newest first. The position: when it was first given, in microseconds, and by whom. */
export function listRatings(
  ctx: QueryContext,
  listing: string,
  { after, take }: PageRequest,
): Promise<(RatingRow & { readonly created_us: string })[]> {
  const at = sql<string>`(extract(epoch from g.created_at) * 1000000)::bigint::text`;
  const query = select(ctx, "marketplace_ratings", "g")
    .selectAll()
    .select(at.as("created_us"))
    .where("g.listing_id", "=", listing);
  const rest = after
    ? query.where(
        sql<boolean>`((extract(epoch from g.created_at) * 1000000)::bigint, g.member) < (${String(after.keys[0])}::bigint, ${after.id})`,
      )
    : query;
  return all(ctx, rest.orderBy("g.created_at", "desc").orderBy("g.member", "desc").limit(take));
}
