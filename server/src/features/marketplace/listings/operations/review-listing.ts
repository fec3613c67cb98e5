import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { listingState, ownReview, scanFindings } from "../../errors.ts";
import { listingRecalled, listingReviewed } from "../../events.ts";
import { exampleDigest, exampleListingDetail, exampleListingId } from "../../example.ts";
import { ListingDetail, ReviewListingBody } from "../../schemas.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import { review, reviewFaults } from "../review.ts";

export const reviewListing = defineOperation({
  ...listings.changeOfOne("listing.review"),
  id: "marketplace.reviewListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/review",
  listed: true,
  summary: "Approve, reject, quarantine or recall",
  description:
    "Approving takes another person than the submitter. A quarantine or recall takes one person, and stops its installs in every environment within a minute.",
  body: ReviewListingBody,
  output: ListingDetail,
  example: {
    params: { listing: exampleListingId },
    body: { decision: "approve", digest: exampleDigest, reason: "Read and tried." },
    output: exampleListingDetail,
  },
  permission: "marketplace:review",
  narrowing: concernsOthers,
  gate: exempt("makes no agent act"),
  decides: exempt("judges a version that others made; its contents stay as they were"),
  validate: (_ctx, { body }) => reviewFaults(body),
  emits: [listingReviewed, listingRecalled],
  errors: [listingState, ownReview, scanFindings],
  handle: (ctx, { loaded, body }) => review(ctx, loaded.id, body),
});
