import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { listingDetail } from "../listing-view.ts";
import { ListingDetail } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const readListing = defineRead({
  id: "marketplace.readListing",
  path: "/v1/marketplace/listings/{listing}",
  listed: true,
  summary: "Read a listing",
  description: "What it asks for, what was measured on which data, who signed it, its versions and what it cannot do.",
  params: Type.Object({ listing: ListingId }),
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, output: exampleListingDetail },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  handle: (ctx, { loaded }) => listingDetail(ctx, loaded),
});
