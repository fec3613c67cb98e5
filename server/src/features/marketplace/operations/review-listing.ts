import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { listingState, ownReview, scanFindings } from "../errors.ts";
import { listingRecalled, listingReviewed } from "../events.ts";
import { exampleDigest, exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { review, reviewFaults } from "../review.ts";
import { ListingDetail, ReviewListingBody } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const reviewListing = defineOperation({
  id: "marketplace.reviewListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/review",
  listed: true,
  summary: "Approve, reject, quarantine or recall",
  description:
    "Approving takes another person than who submitted it. A quarantine or recall takes one person, and within a minute stops what is installed of it, in every environment.",
  params: Type.Object({ listing: ListingId }),
  body: ReviewListingBody,
  output: ListingDetail,
  example: {
    params: { listing: exampleListingId },
    body: { decision: "approve", digest: exampleDigest, reason: "Read and tried." },
    output: exampleListingDetail,
  },
  permission: "marketplace:review",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: exempt("judges a version that others made; its contents stay as they were"),
  compliance: governs("listing.review"),
  audit: ({ params }) => `listing:${params.listing}`,
  validate: (_ctx, { body }) => reviewFaults(body),
  emits: [listingReviewed, listingRecalled],
  errors: [listingState, ownReview, scanFindings],
  handle: (ctx, { loaded, body }) => review(ctx, loaded.id, body),
});
