import type { BundleManifest } from "@aos/bundle";
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
} from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { ListingPermission, ListingState, ScanCounts } from "../schema-words.ts";
import { type ListingRow, listingRows } from "./resource.ts";
import { listingStateOf, versionNumbers } from "./rules.ts";
import type { ListingDetail } from "./schemas.ts";

/** Without the file and the scan's log, which may be large: see `readBundleText` and `readScanText`. */
export interface VersionRow extends Omit<Row<"marketplace_versions">, "state" | "file" | "scan"> {
  readonly state: ListingState;
}

export const versionJson = storedJson<{
  manifest: BundleManifest;
  permissions: ListingPermission[];
  scorecard: NonNullable<ListingDetail["scorecard"]>;
  files: ListingDetail["files"];
  scan_counts: ScanCounts;
  submitters: string[];
}>();

const columns = [
  ...(["organization", "listing_id", "version", "numbers", "digest", "state", "reason", "changes", "note"] as const),
  ...(["manifest", "permissions", "permissions_digest", "scorecard", "files", "readme", "scan_counts"] as const),
  ...(["scanned_at", "bytes", "key_id", "signed_at", "submitted_by", "submitters", "deciders", "reviewed_by"] as const),
  ...(["reviewed_at", "review_strict", "created_at"] as const),
] as const;

const versions = (ctx: QueryContext) =>
  select(ctx, "marketplace_versions", "v")
    .select(columns.map((name) => `v.${name}` as const))
    .$castTo<VersionRow>();

const one = (ctx: QueryContext, listing: string, version: string) =>
  select(ctx, "marketplace_versions", "v").where("v.listing_id", "=", listing).where("v.version", "=", version);

/** In any state. */
export const findVersion = (ctx: QueryContext, listing: string, version: string): Promise<VersionRow | undefined> =>
  first(ctx, versions(ctx).where("v.listing_id", "=", listing).where("v.version", "=", version));

/** By the digest of its archive, `sha256:…`. */
export const findDigest = (ctx: QueryContext, digest: string): Promise<VersionRow | undefined> =>
  first(ctx, versions(ctx).where("v.digest", "=", digest));

/** With `state`, the newest in this state. */
export const findNewest = (
  ctx: QueryContext,
  listing: string,
  state?: ListingState,
): Promise<VersionRow | undefined> => {
  const query = versions(ctx).where("v.listing_id", "=", listing);
  const some = state === undefined ? query : query.where("v.state", "=", state);
  return first(ctx, some.orderBy("v.numbers", "desc").limit(1));
};

/** Newest first. */
export function listVersionRows(
  ctx: QueryContext,
  listing: string,
  { after, take }: PageRequest,
): Promise<VersionRow[]> {
  const behind = sql<boolean>`v.numbers < ${versionNumbers(after?.id ?? "0.0.0")}::int[]`;
  const query = versions(ctx)
    .where("v.listing_id", "=", listing)
    .$if(after !== undefined, (some) => some.where(behind));
  return all(ctx, query.orderBy("v.numbers", "desc").limit(take));
}

/** The version that each listing shows, in their order. */
export async function listShown(ctx: QueryContext, listings: readonly ListingRow[]): Promise<VersionRow[]> {
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

/** The travelling file. */
export const readBundleText = async (ctx: QueryContext, { listing_id, version }: Versioned): Promise<string> =>
  (await first(ctx, one(ctx, listing_id, version).select("v.file")))?.file as string;

/** SHA-256 of the stored file, in hexadecimal. */
export const readBundleHash = async (ctx: QueryContext, { listing_id, version }: Versioned): Promise<string> => {
  const hash = sql<string>`encode(sha256(convert_to(v.file, 'UTF8')), 'hex')`.as("hash");
  return (await first(ctx, one(ctx, listing_id, version).select(hash)))?.hash as string;
};

/** SARIF, as JSON. */
export const readScanText = async (ctx: QueryContext, { listing_id, version }: Versioned): Promise<string> =>
  (await first(ctx, one(ctx, listing_id, version).select("v.scan")))?.scan as string;

type Versioned = Pick<VersionRow, "listing_id" | "version">;

/** Undefined if the same bundle exists already. */
export async function insertVersion(
  ctx: WriteContext,
  row: Omit<NewRow<"marketplace_versions">, "numbers" | "created_at">,
): Promise<VersionRow | undefined> {
  const values = { ...row, numbers: versionNumbers(row.version), created_at: new Date(ctx.now) };
  const made = insert(ctx, "marketplace_versions", values).onConflict((on) => on.doNothing());
  return first(ctx, made.returning([...columns]).$castTo<VersionRow>());
}

/** Call `settleListing` afterwards. */
export async function updateVersions(
  ctx: QueryContext,
  listing: string,
  names: readonly string[],
  changes: Changes<"marketplace_versions">,
): Promise<void> {
  if (names.length === 0) return;
  const query = update(ctx, "marketplace_versions").set(changes).where("listing_id", "=", listing);
  await all(ctx, query.where("version", "in", [...names]));
}

/** States of the versions of a listing. */
export async function listVersionStates(
  ctx: QueryContext,
  listing: string,
): Promise<{ version: string; state: ListingState }[]> {
  const query = select(ctx, "marketplace_versions", "v").select(["v.version", "v.state"]);
  return all(ctx, query.where("v.listing_id", "=", listing));
}

/** States of the versions of a publisher's listings. */
export async function listStatesOf(ctx: QueryContext, publisher: string): Promise<ListingState[]> {
  const query = select(ctx, "marketplace_versions", "v")
    .innerJoin(rowsOf(ctx, "marketplace_listings", "l"), "l.id", "v.listing_id")
    .select("v.state")
    .distinct()
    .where("l.publisher_id", "=", publisher);
  return (await all(ctx, query)).map(({ state }) => state);
}

/** Derives state and shown version of the listing from its versions; `changes` go with it. Increments the revision. */
export async function settleListing(
  ctx: WriteContext,
  listing: string,
  changes: Partial<ListingRow> = {},
): Promise<ListingRow> {
  const derived = listingStateOf(await listVersionStates(ctx, listing));
  return (await listingRows.revise(ctx, listing, { ...derived, ...changes })) as ListingRow;
}

/** Locked until the transaction ends. */
export async function lockVersionState(
  ctx: WriteContext,
  listing: string,
  version: string,
): Promise<{ readonly state: ListingState; readonly manifest: string } | undefined> {
  const query = select(ctx, "marketplace_versions", "v")
    .select(["v.state", "v.manifest"])
    .where("v.listing_id", "=", listing)
    .where("v.version", "=", version)
    .forShare();
  return first(ctx, query.$castTo<{ state: ListingState; manifest: string }>());
}

/** Throws if the listing does not have the version. */
export async function namedVersion(ctx: QueryContext, listing: ListingRow, version: string): Promise<VersionRow> {
  const row = await findVersion(ctx, listing.id, version);
  if (row) return row;
  const detail = `${listing.name} has no version ${version}; GET /v1/marketplace/listings/${listing.id}/versions lists them`;
  const fault = { pointer: "/version", code: "unknown_version", detail };
  throw refuse(invalidBody, `/version: ${detail}`, { errors: [fault] });
}
