import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../../kernel/problems.ts";
import { bundleRefused, listingExists, notOwnListing, publisherKeyChanged } from "../../errors.ts";
import { listingSubmitted } from "../../events.ts";
import { exampleListingDetail, exampleListingId } from "../../example.ts";
import { CreateListingVersionBody, ListingDetail } from "../../schemas.ts";
import { importBundle, packNext, SUBMISSION_BYTES, submissionFaults, submitBundle } from "../intake.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import { listingDetail } from "../view.ts";

export const createVersion = defineOperation({
  ...listings.changeOfOne("listing.submit"),
  id: "marketplace.createVersion",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/versions",
  status: 201,
  summary: "Publish a new version",
  description:
    "Packed, scanned, signed and reviewed like the first one. Installs can update to it once it is approved.",
  body: CreateListingVersionBody,
  output: ListingDetail,
  location: ({ listing_id }) => `/v1/marketplace/listings/${listing_id}`,
  example: {
    params: { listing: exampleListingId },
    body: {
      version: "1.1.0",
      source: { kind: "agent", agent: "support-routing", version: 3 },
      changes: "Knows two more teams.",
    },
    output: exampleListingDetail,
  },
  narrowing: concernsOthers,
  gate: exempt("makes no agent act"),
  emits: [listingSubmitted],
  errors: [insufficientScope, resultNotIntact, bundleRefused, publisherKeyChanged, listingExists, notOwnListing],
  largestBody: SUBMISSION_BYTES,
  validate: (_ctx, { body }) => submissionFaults(body, ["version"]),
  async handle(ctx, { loaded, body }) {
    const { file, changes, note } = body;
    const { listing } =
      file === undefined
        ? await submitBundle(ctx, { ...(await packNext(ctx, loaded, body)), changes, note, listing: loaded })
        : await importBundle(ctx, { file, note, listing: loaded });
    return listingDetail(ctx, listing);
  },
});
