import { isoTime } from "../../kernel/clock.ts";
import type { Install } from "./install-schemas.ts";
import { consentOf, type InstallRow, partsOf } from "./install-store.ts";
import { findListing, type ListingRow } from "./listing-store.ts";
import { manifestOf } from "./listing-view.ts";
import type { Looking } from "./names.ts";
import { findVersion, type VersionRow } from "./version-store.ts";

/** An install as it is shown. */
export async function installView(ctx: Looking, row: InstallRow): Promise<Install> {
  const listing = (await findListing(ctx, row.listing_id)) as ListingRow;
  const version = (await findVersion(ctx, row.listing_id, row.version)) as VersionRow;
  const { permissions_digest: _digest, ...consent } = consentOf(row);
  return {
    ...{ install_id: row.id, listing_id: row.listing_id, name: listing.name, title: manifestOf(version).title },
    ...{ kind: listing.kind, publisher_id: listing.publisher_id, version: row.version, digest: row.digest },
    ...{ suffix: row.suffix, state: row.state, update: null, drift: "unknown", recall: null },
    ...{ installed_by: row.installed_by, created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
    ...{ agent: row.agent, consent, next_steps: [], readme: version.readme, revision: row.revision },
    parts: partsOf(row).map(({ digest: _sent, ...part }) => ({ ...part, drift: "unknown", link: null })),
  };
}
