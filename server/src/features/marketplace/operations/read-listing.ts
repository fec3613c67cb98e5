import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { invalidParameter } from "../../../kernel/problems.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { listingDetail } from "../listing-view.ts";
import { ListingDetail } from "../schemas.ts";
import { findVersion } from "../version-store.ts";
import { ListingId, Version } from "../words.ts";

export const readListing = defineRead({
  id: "marketplace.readListing",
  path: "/v1/marketplace/listings/{listing}",
  listed: true,
  summary: "Read a listing",
  description:
    "What it asks for, what was measured on which data, who signed it, its versions and what it cannot do. Of the version that the catalogue shows, or of `version`.",
  params: Type.Object({ listing: ListingId }),
  query: Type.Object({ version: Type.Optional(Version) }, { additionalProperties: false }),
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, output: exampleListingDetail },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  async handle(ctx, { loaded, query: { version } }) {
    if (version === undefined) return listingDetail(ctx, loaded);
    if (await findVersion(ctx, loaded.id, version)) return listingDetail(ctx, { ...loaded, shown: version });
    const detail = "names no version of the listing; `…/versions` lists them";
    const errors = [{ parameter: "version", code: "unknown_version", detail }];
    throw refuse(invalidParameter, `version ${detail}`, { errors });
  },
});
