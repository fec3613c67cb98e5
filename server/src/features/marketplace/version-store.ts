import {
  all,
  type Changes,
  first,
  insert,
  type NewRow,
  type Row,
  rowsOf,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { type Here, type ListingRow, updateListing } from "./listing-store.ts";
import { standingOf, versionNumbers } from "./model.ts";
import type { ListingState } from "./words.ts";

/** A version without its file and the scan's log, which may be large: `readBundleText` and `readScanText` read these. */
export interface VersionRow extends Omit<Row<"marketplace_versions">, "state" | "file" | "scan"> {
  readonly state: ListingState;
}

const columns = [
  ...(["organization", "listing_id", "version", "numbers", "digest", "state", "reason", "changes", "note"] as const),
  ...(["manifest", "permissions", "permissions_digest", "scorecard", "files", "readme", "scan_counts"] as const),
  ...(["scanned_at", "bytes", "key_id", "signed_at", "submitted_by", "submitters", "deciders", "reviewed_by"] as const),
  ...(["reviewed_at", "review_strict", "created_at"] as const),
] as const;

const versions = (ctx: Here) =>
  select(ctx, "marketplace_versions", "v")
    .select(columns.map((name) => `v.${name}` as const))
    .$castTo<VersionRow>();

const one = (ctx: Here, listing: string, version: string) =>
  select(ctx, "marketplace_versions", "v").where("v.listing_id", "=", listing).where("v.version", "=", version);

/** A version of a listing, whatever its state. */
export const findVersion = (ctx: Here, listing: string, version: string): Promise<VersionRow | undefined> =>
  first(ctx, versions(ctx).where("v.listing_id", "=", listing).where("v.version", "=", version));

/** The version whose archive has this digest, `sha256:…`. */
export const findDigest = (ctx: Here, digest: string): Promise<VersionRow | undefined> =>
  first(ctx, versions(ctx).where("v.digest", "=", digest));

/** The newest version of a listing; with `state`, the newest in this state. */
export const findNewest = (ctx: Here, listing: string, state?: ListingState): Promise<VersionRow | undefined> => {
  const query = versions(ctx).where("v.listing_id", "=", listing);
  const some = state === undefined ? query : query.where("v.state", "=", state);
  return first(ctx, some.orderBy("v.numbers", "desc").limit(1));
};

/** Versions of a listing, by number, the newest first. */
export function listVersionRows(ctx: Here, listing: string, { after, take }: PageRequest): Promise<VersionRow[]> {
  const behind = sql<boolean>`v.numbers < ${versionNumbers(after?.id ?? "0.0.0")}::int[]`;
  const query = versions(ctx)
    .where("v.listing_id", "=", listing)
    .$if(after !== undefined, (some) => some.where(behind));
  return all(ctx, query.orderBy("v.numbers", "desc").limit(take));
}

/** The version that each listing shows, in the listings' order. */
export async function listShown(ctx: Here, listings: readonly ListingRow[]): Promise<VersionRow[]> {
  if (listings.length === 0) return [];
  const rows = await all(
    ctx,
    versions(ctx).where((v) =>
      v.or(listings.map(({ id, shown }) => v.and({ "v.listing_id": id, "v.version": shown }))),
    ),
  );
  const byListing = new Map(rows.map((row) => [row.listing_id, row]));
  return listings.map(({ id }) => byListing.get(id) as VersionRow);
}

/** The travelling file of a version, whole. */
export const readBundleText = async (ctx: Here, { listing_id, version }: Versioned): Promise<string> =>
  (await first(ctx, one(ctx, listing_id, version).select("v.file")))?.file as string;

/** SHA-256 of the travelling file as it is stored, in hexadecimal. */
export const readBundleHash = async (ctx: Here, { listing_id, version }: Versioned): Promise<string> => {
  const hash = sql<string>`encode(sha256(convert_to(v.file, 'UTF8')), 'hex')`.as("hash");
  return (await first(ctx, one(ctx, listing_id, version).select(hash)))?.hash as string;
};

/** The scan's SARIF log of a version, as JSON. */
export const readScanText = async (ctx: Here, { listing_id, version }: Versioned): Promise<string> =>
  (await first(ctx, one(ctx, listing_id, version).select("v.scan")))?.scan as string;

type Versioned = Pick<VersionRow, "listing_id" | "version">;

/** Inserts a version; undefined: the same bundle is there already. */
export async function insertVersion(
  ctx: WriteContext,
  row: Omit<NewRow<"marketplace_versions">, "numbers" | "created_at">,
): Promise<VersionRow | undefined> {
  const values = { ...row, numbers: versionNumbers(row.version), created_at: new Date(ctx.now) };
  const made = insert(ctx, "marketplace_versions", values).onConflict((on) => on.doNothing());
  return first(ctx, made.returning([...columns]).$castTo<VersionRow>());
}

/** What becomes of versions in a review, a recall or a withdrawal. Call `settleListing` afterwards. */
export async function updateVersions(
  ctx: Here,
  listing: string,
  names: readonly string[],
  changes: Changes<"marketplace_versions">,
): Promise<void> {
  if (names.length === 0) return;
  const query = update(ctx, "marketplace_versions").set(changes).where("listing_id", "=", listing);
  await all(ctx, query.where("version", "in", [...names]));
}

/** How each version of a listing stands. */
export async function listStandings(ctx: Here, listing: string): Promise<{ version: string; state: ListingState }[]> {
  const query = select(ctx, "marketplace_versions", "v").select(["v.version", "v.state"]);
  return all(ctx, query.where("v.listing_id", "=", listing));
}

/** The states that versions of a publisher's listings have. */
export async function listStatesOf(ctx: Here, publisher: string): Promise<ListingState[]> {
  const query = select(ctx, "marketplace_versions", "v")
    .innerJoin(rowsOf(ctx, "marketplace_listings", "l"), "l.id", "v.listing_id")
    .select("v.state")
    .distinct()
    .where("l.publisher_id", "=", publisher);
  return (await all(ctx, query)).map(({ state }) => state);
}

/** Brings state and shown version of a listing to what its versions say; `changes` go with it. Its revision counts up. */
export async function settleListing(
  ctx: Pick<WriteContext, "scope" | "db" | "now">,
  listing: string,
  changes: Changes<"marketplace_listings"> = {},
): Promise<ListingRow> {
  return updateListing(ctx, listing, { ...standingOf(await listStandings(ctx, listing)), ...changes });
}
