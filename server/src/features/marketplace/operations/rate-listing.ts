import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleReview } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ListingReview, RateListingBody } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const rateListing = defineOperation({
  id: "marketplace.rateListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/reviews",
  summary: "Rate a listing",
  description: "One rating each; a later one takes the place of the earlier.",
  params: Type.Object({ listing: ListingId }),
  body: RateListingBody,
  output: ListingReview,
  example: { params: { listing: exampleListingId }, body: { stars: 5 }, output: exampleReview },
  permission: "marketplace:rate",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  gate: exempt("makes no agent act"),
  compliance: governs("listing.rate"),
  audit: ({ params }) => `listing:${params.listing}`,
  handle: () => {
    throw new Error("not built yet");
  },
});
