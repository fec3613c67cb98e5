import { BundleFault, type BundleManifest, verifyBundle } from "@aos/bundle";
import { isoTime } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PublisherRow } from "../publishers/resource.ts";
import type { ListingPermission, PublisherBrief } from "../schema-words.ts";
import type {
  Listing,
  ListingDetail,
  ListingPublisher,
  ListingReport,
  ListingReview,
  ListingVersion,
} from "../schemas.ts";
import { type CatalogueEntry, countListings, countOpenReports, readEntries } from "./catalogue-store.ts";
import type { RatingRow } from "./rating-store.ts";
import type { ListingRow, ReportRow } from "./resource.ts";
import { listVersionRows, readBundleHash, readBundleText, type VersionRow, versionJson } from "./version-store.ts";

const mostKept = 1000;
const verdicts = new Map<string, boolean>();

/**
 * Whether the file of a version, as it is stored now, is what its publisher signed and what the row says of it. The verdict on a file never changes, so that
 * each is verified once in a process.
 */
async function isVerified(ctx: QueryContext, version: VersionRow): Promise<boolean> {
  const about = `${version.digest} ${version.key_id} ${await readBundleHash(ctx, version)}`;
  const known = verdicts.get(about);
  if (known !== undefined) return known;
  const verdict = verifies(await readBundleText(ctx, version), version);
  if (verdicts.size >= mostKept) verdicts.clear();
  verdicts.set(about, verdict);
  return verdict;
}

function verifies(text: string, { digest, key_id }: VersionRow): boolean {
  try {
    const bundle = verifyBundle(text);
    return `sha256:${bundle.digest}` === digest && bundle.publisher.keys.at(-1)?.key_id === key_id;
  } catch (error) {
    if (error instanceof BundleFault) return false;
    throw error;
  }
}

const optionalTime = (time: Date | null): string | null => time && isoTime(time);

export const manifestOf = (row: Pick<VersionRow, "manifest">): BundleManifest => versionJson(row, "manifest");

export const permissionsIn = (row: Pick<VersionRow, "permissions">): ListingPermission[] =>
  versionJson(row, "permissions");

export const publisherBrief = (row: PublisherRow): PublisherBrief => ({
  publisher_id: row.id,
  name: row.name,
  own: row.own,
  key_id: row.key_id,
  pinned: row.own || row.pinned_key !== null,
});

export const versionView = (row: VersionRow): ListingVersion => ({
  version: row.version,
  digest: row.digest,
  bytes: row.bytes,
  state: row.state,
  reason: row.reason,
  changes: row.changes,
  note: row.note,
  scan: versionJson(row, "scan_counts"),
  submitted_by: row.submitted_by,
  reviewed_by: row.reviewed_by,
  reviewed_at: optionalTime(row.reviewed_at),
  review_strict: row.review_strict,
  created_at: isoTime(row.created_at),
});

export function listingView({ listing, version, publisher, rating, installs }: CatalogueEntry): Listing {
  const { title, summary } = manifestOf(version);
  return {
    listing_id: listing.id,
    name: listing.name,
    kind: listing.kind,
    title,
    summary,
    business_function: listing.business_function,
    publisher: publisherBrief(publisher),
    visibility: listing.visibility,
    origin: listing.origin,
    state: listing.state,
    version: version.version,
    digest: version.digest,
    rating,
    installs,
    scorecard: versionJson(version, "scorecard"),
    scan: versionJson(version, "scan_counts"),
    created_at: isoTime(listing.created_at),
    updated_at: isoTime(listing.updated_at),
  };
}

const versionsShown = 10;

/** Everything to know before installing. Calls that write a version read it here as well, beside the others, and with the file as it is stored. */
export async function listingDetail(ctx: QueryContext, listing: ListingRow): Promise<ListingDetail> {
  const [entry] = (await readEntries(ctx, [listing])) as [CatalogueEntry];
  const { version, publisher } = entry;
  const { license = null, limits, requires } = manifestOf(version);
  const versions = await listVersionRows(ctx, listing.id, { after: undefined, take: versionsShown });
  return {
    ...listingView(entry),
    license,
    readme: version.readme,
    limits: [...limits],
    requires: { connections: [...requires.connections], notes: [...(requires.notes ?? [])] },
    permissions: permissionsIn(version),
    permissions_digest: version.permissions_digest,
    signature: {
      verified: await isVerified(ctx, version),
      key_id: version.key_id,
      keys: keysUntil(publisher, version.key_id),
      signed_at: isoTime(version.signed_at),
    },
    files: versionJson(version, "files"),
    versions: versions.map(versionView),
    open_reports: await countOpenReports(ctx, listing),
    revision: listing.revision,
  };
}

/** From the publisher's first key to this one. */
function keysUntil(publisher: PublisherRow, key: string): string[] {
  const keys = publisher.publisher.keys.map(({ key_id }) => key_id);
  const at = keys.indexOf(key);
  return at < 0 ? [key] : keys.slice(0, at + 1);
}

export async function publisherView(ctx: QueryContext, row: PublisherRow): Promise<ListingPublisher> {
  const { keys } = row.publisher;
  const pinned = row.pinned_key !== null && {
    key_id: row.pinned_key,
    at: isoTime(row.pinned_at as Date),
    by: row.pinned_by as string,
  };
  return {
    publisher_id: row.id,
    name: row.name,
    own: row.own,
    pinned: pinned || null,
    keys: keys.map(({ key_id, public_key }, at) => ({
      key_id,
      public_key,
      signs: at === keys.length - 1,
      vouched_by: keys[at - 1]?.key_id ?? null,
    })),
    listings: await countListings(ctx, row.id),
    created_at: isoTime(row.created_at),
  };
}

export const ratingView = ({ member, stars, body, version, installed, ...row }: RatingRow): ListingReview => ({
  member,
  stars,
  text: body,
  version,
  installed,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export const reportView = ({ id: report_id, listing_id, version, kind, detail, ...row }: ReportRow): ListingReport => ({
  report_id,
  listing_id,
  version,
  kind,
  detail,
  reported_by: row.reported_by,
  created_at: isoTime(row.created_at),
});
