import type { Static } from "typebox";
import { isoTime } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/errors.ts";
import { consentMissing } from "./errors.ts";
import type { Consent } from "./install-schemas.ts";
import type { StoredConsent } from "./install-store.ts";
import type { ListingRow } from "./listing-store.ts";
import { permissionsIn } from "./listing-view.ts";
import type { Looking } from "./names.ts";
import { findDigest, type VersionRow } from "./version-store.ts";

/** The version that a consent is to. Throws `consent_missing` unless it names the permissions and the key of the version with this digest. */
export async function consentedVersion(
  ctx: Looking,
  listing: ListingRow,
  { digest, consent }: { readonly digest: string; readonly consent: Static<typeof Consent> },
): Promise<VersionRow> {
  const version = await findDigest(ctx, digest);
  if (version?.listing_id !== listing.id)
    throw refuse(consentMissing, `No version of ${listing.name} has the digest ${digest}.`);
  if (consent.permissions !== version.permissions_digest)
    throw refuse(
      consentMissing,
      `Version ${version.version} asks for other permissions than those that were agreed to.`,
    );
  if (consent.publisher_key !== version.key_id)
    throw refuse(
      consentMissing,
      `Version ${version.version} is signed by another key than the one that was agreed to.`,
    );
  return version;
}

/** A consent as the install keeps it. */
export const storedConsent = (ctx: Looking, version: VersionRow): StoredConsent => ({
  ...{ permissions: permissionsIn(version), permissions_digest: version.permissions_digest },
  ...{ publisher_key: version.key_id, by: ctx.principal.id, at: isoTime(new Date(ctx.now)) },
});
