import type { BundleManifest } from "@aos/bundle";
import { isoTime } from "../../kernel/clock.ts";
import { type CatalogueEntry, countListings, countOpenReports, readEntries } from "./catalogue-store.ts";
import type { Here, ListingRow } from "./listing-store.ts";
import { type PublisherRow, travelling } from "./publisher-store.ts";
import type { Listing, ListingDetail, ListingPublisher, ListingVersion } from "./schemas.ts";
import { isVerified } from "./verified.ts";
import { listVersionRows, type VersionRow } from "./version-store.ts";
import type { ListingPermission, PublisherBrief } from "./words.ts";

const optionalTime = (time: Date | null): string | null => time && isoTime(time);

/** `bundle.json` of a version. */
export const manifestOf = ({ manifest }: Pick<VersionRow, "manifest">): BundleManifest => JSON.parse(manifest);

/** What a version asks for. */
export const permissionsIn = ({ permissions }: Pick<VersionRow, "permissions">): ListingPermission[] =>
  JSON.parse(permissions);

export const publisherBrief = (row: PublisherRow): PublisherBrief => ({
  ...{ publisher_id: row.id, name: row.name, own: row.own, key_id: row.key_id },
  pinned: row.own || row.pinned_key !== null,
});

export const versionView = (row: VersionRow): ListingVersion => ({
  ...{ version: row.version, digest: row.digest, bytes: row.bytes, state: row.state, reason: row.reason },
  ...{ changes: row.changes, note: row.note, scan: JSON.parse(row.scan_counts), submitted_by: row.submitted_by },
  ...{ reviewed_by: row.reviewed_by, reviewed_at: optionalTime(row.reviewed_at), review_strict: row.review_strict },
  created_at: isoTime(row.created_at),
});

export function listingView({ listing, version, publisher, rating, installs }: CatalogueEntry): Listing {
  const { title, summary } = manifestOf(version);
  return {
    ...{ listing_id: listing.id, name: listing.name, kind: listing.kind, title, summary },
    ...{ business_function: listing.business_function, publisher: publisherBrief(publisher) },
    ...{ visibility: listing.visibility, origin: listing.origin, state: listing.state },
    ...{ version: version.version, digest: version.digest, rating, installs },
    scorecard: version.scorecard === null ? null : JSON.parse(version.scorecard),
    ...{ scan: JSON.parse(version.scan_counts), created_at: isoTime(listing.created_at) },
    updated_at: isoTime(listing.updated_at),
  };
}

const versionsShown = 10;

/** A listing with all that one should know before installing it. */
export async function listingDetail(ctx: Here, listing: ListingRow): Promise<ListingDetail> {
  const [entry] = (await readEntries(ctx, [listing])) as [CatalogueEntry];
  const { version, publisher } = entry;
  const { license = null, limits, requires } = manifestOf(version);
  const versions = await listVersionRows(ctx, listing.id, { after: undefined, take: versionsShown });
  return {
    ...listingView(entry),
    ...{ license, readme: version.readme, limits: [...limits] },
    requires: { connections: [...requires.connections], notes: [...(requires.notes ?? [])] },
    ...{ permissions: permissionsIn(version), permissions_digest: version.permissions_digest },
    signature: {
      ...{
        verified: await isVerified(ctx, version),
        key_id: version.key_id,
        keys: keysUntil(publisher, version.key_id),
      },
      signed_at: isoTime(version.signed_at),
    },
    ...{ files: JSON.parse(version.files), versions: versions.map(versionView) },
    ...{ open_reports: await countOpenReports(ctx, listing), revision: listing.revision },
  };
}

/** From the publisher's first key to this one. */
function keysUntil(publisher: PublisherRow, key: string): string[] {
  const keys = travelling(publisher).keys.map(({ key_id }) => key_id);
  const at = keys.indexOf(key);
  return at < 0 ? [key] : keys.slice(0, at + 1);
}

export async function publisherView(ctx: Here, row: PublisherRow): Promise<ListingPublisher> {
  const { keys } = travelling(row);
  const pinned = row.pinned_key !== null && {
    ...{ key_id: row.pinned_key, at: isoTime(row.pinned_at as Date), by: row.pinned_by as string },
  };
  return {
    ...{ publisher_id: row.id, name: row.name, own: row.own, pinned: pinned || null },
    keys: keys.map(({ key_id, public_key }, at) => ({
      ...{ key_id, public_key, signs: at === keys.length - 1, vouched_by: keys[at - 1]?.key_id ?? null },
    })),
    ...{ listings: await countListings(ctx, row.id), created_at: isoTime(row.created_at) },
  };
}
