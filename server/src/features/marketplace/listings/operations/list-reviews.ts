import { defineList } from "../../../../kernel/listing.ts";
import { exampleListingId, exampleReview } from "../../example.ts";
import { ListingReview } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { listRatings } from "../rating-store.ts";
import { ratingView } from "../view.ts";

export const listReviews = defineList({
  ...listings.readOfOne(),
  id: "marketplace.listReviews",
  path: "/v1/marketplace/listings/{listing}/reviews",
  summary: "List ratings",
  item: ListingReview,
  example: { params: { listing: exampleListingId }, item: exampleReview },
  read: (ctx, _filter, page, { id }) => listRatings(ctx, id, page),
  position: ({ created_us, member }) => ({ keys: [created_us], id: member }),
  view: (row) => ratingView(row),
});
