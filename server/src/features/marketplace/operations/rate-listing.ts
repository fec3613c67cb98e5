import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { listingState } from "../errors.ts";
import { exampleListingId, exampleReview } from "../example.ts";
import { ratingView } from "../feedback-view.ts";
import { findListing } from "../listing-store.ts";
import { namedVersion } from "../named-version.ts";
import { putRating } from "../rating-store.ts";
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
  decides: exempt("ratings are for people"),
  compliance: governs("listing.rate"),
  audit: ({ params }) => `listing:${params.listing}`,
  errors: [listingState],
  async handle(ctx, { loaded, body: { stars, text = null, version = loaded.shown } }) {
    const rated = await namedVersion(ctx, loaded, version);
    if (rated.state === "submitted" || rated.state === "rejected")
      throw refuse(
        listingState,
        `Version ${version} of ${loaded.name} is ${rated.state}: only what was approved is rated.`,
      );
    return ratingView(await putRating(ctx, { listing_id: loaded.id, stars, body: text, version }));
  },
});
