import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleReview } from "../example.ts";
import { ratingView } from "../feedback-view.ts";
import { findListing } from "../listing-store.ts";
import { listRatings } from "../rating-store.ts";
import { ListingReview } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const listReviews = defineList({
  id: "marketplace.listReviews",
  path: "/v1/marketplace/listings/{listing}/reviews",
  summary: "List ratings",
  params: Type.Object({ listing: ListingId }),
  item: ListingReview,
  example: { params: { listing: exampleListingId }, item: exampleReview },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  read: (ctx, _filter, page, { id }) => listRatings(ctx, id, page),
  position: ({ created_us, member }) => ({ keys: [created_us], id: member }),
  view: (row) => ratingView(row),
});
