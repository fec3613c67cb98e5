import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { bundleRefused, listingExists, publisherKeyChanged } from "../errors.ts";
import { listingSubmitted } from "../events.ts";
import { exampleListingDetail } from "../example.ts";
import { importBundle, submitBundle } from "../intake.ts";
import type { ListingSource } from "../listing-schemas.ts";
import { listingDetail } from "../listing-view.ts";
import { packBundle, type SaidOfBundle } from "../packing.ts";
import { CreateListingBody, ListingDetail } from "../schemas.ts";
import { SUBMISSION_BYTES, submissionFaults } from "../submission.ts";

export const createListing = withPorts((ports) =>
  defineOperation({
    id: "marketplace.createListing",
    method: "POST",
    path: "/v1/marketplace/listings",
    status: 201,
    listed: true,
    summary: "Submit work for review",
    description:
      "Packs, scans and signs own work, or takes a bundle that another installation made. Nothing of it runs. It can be installed once another person has approved it.",
    body: CreateListingBody,
    output: ListingDetail,
    location: ({ listing_id }) => `/v1/marketplace/listings/${listing_id}`,
    example: {
      body: {
        name: "support-routing",
        version: "1.0.0",
        title: "Support routing",
        summary: "Says to which team a message belongs.",
        limits: ["English only."],
        source: { kind: "agent", agent: "support-routing", version: 2 },
      },
      output: exampleListingDetail,
    },
    permission: "marketplace:write",
    load: exempt("names no object; makes one"),
    narrowing: whole("concerns agents of other publishers and what installs make"),
    gate: exempt("makes no agent act"),
    decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
    compliance: governs("listing.submit"),
    audit: "listings",
    emits: [listingSubmitted],
    errors: [insufficientScope, resultNotIntact, bundleRefused, publisherKeyChanged, listingExists],
    largestBody: SUBMISSION_BYTES,
    validate: (_ctx, { body }) => submissionFaults(body, ["name", "version", "title", "summary", "limits"]),
    async handle(ctx, { body }) {
      const { file, source, visibility, note, ...said } = body;
      const { listing } =
        file === undefined
          ? await submitBundle(ctx, ports, {
              ...(await packBundle(ctx, source as ListingSource, said as SaidOfBundle)),
              ...{ visibility, note },
            })
          : await importBundle(ctx, ports, { file, visibility, note });
      return listingDetail(ctx, listing);
    },
  }),
);
