import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { listingState } from "../../errors.ts";
import { exampleListingId, exampleReview } from "../../example.ts";
import { ListingReview, RateListingBody } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { putRating } from "../rating-store.ts";
import { namedVersion } from "../version-store.ts";
import { ratingView } from "../view.ts";

export const rateListing = defineOperation({
  ...listings.changeOfOne("listing.rate"),
  id: "marketplace.rateListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/reviews",
  summary: "Rate a listing",
  description: "One rating for each member; a later one replaces it.",
  body: RateListingBody,
  output: ListingReview,
  example: { params: { listing: exampleListingId }, body: { stars: 5 }, output: exampleReview },
  permission: "marketplace:rate",
  gate: exempt("makes no agent act"),
  decides: exempt("ratings are for people"),
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
