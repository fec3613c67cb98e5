import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { bundleRefused, listingExists, notOwnListing, publisherKeyChanged } from "../errors.ts";
import { listingSubmitted } from "../events.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { importBundle, submitBundle } from "../intake.ts";
import { findListing } from "../listing-store.ts";
import { listingDetail } from "../listing-view.ts";
import { CreateListingVersionBody, ListingDetail } from "../schemas.ts";
import { packNext, SUBMISSION_BYTES, submissionFaults } from "../submission.ts";
import { ListingId } from "../words.ts";

export const createVersion = withPorts((ports) =>
  defineOperation({
    id: "marketplace.createVersion",
    method: "POST",
    path: "/v1/marketplace/listings/{listing}/versions",
    status: 201,
    summary: "Publish a new version",
    description: "Packed, scanned, signed and reviewed as the first one. Installs are offered it once it is approved.",
    params: Type.Object({ listing: ListingId }),
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
    permission: "marketplace:write",
    load: (ctx, { listing }) => findListing(ctx, listing),
    narrowing: whole("concerns agents of other publishers and what installs make"),
    gate: exempt("makes no agent act"),
    decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
    compliance: governs("listing.submit"),
    audit: ({ params }) => `listing:${params.listing}`,
    emits: [listingSubmitted],
    errors: [insufficientScope, resultNotIntact, bundleRefused, publisherKeyChanged, listingExists, notOwnListing],
    largestBody: SUBMISSION_BYTES,
    validate: (_ctx, { body }) => submissionFaults(body, ["version"]),
    async handle(ctx, { loaded, body }) {
      const { file, changes, note } = body;
      const { listing } =
        file === undefined
          ? await submitBundle(ctx, ports, { ...(await packNext(ctx, loaded, body)), changes, note, listing: loaded })
          : await importBundle(ctx, ports, { file, note, listing: loaded });
      return listingDetail(ctx, listing);
    },
  }),
);
