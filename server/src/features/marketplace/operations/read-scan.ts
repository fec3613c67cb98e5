import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { exampleListingId, exampleScan } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ListingScan } from "../schemas.ts";
import { findVersion, readScanText } from "../version-store.ts";
import { ListingId, Version } from "../words.ts";

export const readScan = defineRead({
  id: "marketplace.readScan",
  path: "/v1/marketplace/listings/{listing}/scan",
  summary: "Read the security scan",
  description:
    "Of the version that the catalogue shows, or of `version`. With `Accept: application/sarif+json`: the SARIF log alone.",
  params: Type.Object({ listing: ListingId }),
  query: Type.Object({ version: Type.Optional(Version) }, { additionalProperties: false }),
  output: ListingScan,
  example: { params: { listing: exampleListingId }, output: exampleScan },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  writes: { "application/sarif+json": { etag: "sarif", write: ({ sarif }) => JSON.stringify(sarif) } },
  async handle(ctx, { loaded, query: { version = loaded.shown } }) {
    const row = await findVersion(ctx, loaded.id, version);
    if (!row) throw refuse(notFound, `${loaded.name} has no version ${version}.`);
    return {
      ...{ listing_id: loaded.id, version, digest: row.digest, counts: JSON.parse(row.scan_counts) },
      ...{ scanned_at: isoTime(row.scanned_at), sarif: JSON.parse(await readScanText(ctx, row)) },
    };
  },
});
