import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { insufficientScope, resultNotIntact } from "../../../../kernel/problems.ts";
import { packBundle, type SaidOfBundle } from "../../bundles/packing.ts";
import { bundleRefused, listingExists, publisherKeyChanged } from "../../errors.ts";
import { listingSubmitted } from "../../events.ts";
import { exampleListingDetail } from "../../example.ts";
import { CreateListingBody, ListingDetail } from "../../schemas.ts";
import { importBundle, SUBMISSION_BYTES, submissionFaults, submitBundle } from "../intake.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import type { ListingSource } from "../schemas.ts";
import { listingDetail } from "../view.ts";

export const createListing = defineOperation({
  ...listings.changeOfAll("listing.submit"),
  id: "marketplace.createListing",
  method: "POST",
  status: 201,
  listed: true,
  summary: "Submit work for review",
  description:
    "Packs, scans and signs own work, or imports a bundle of another installation. Nothing of it runs. It can be installed once another person has approved it.",
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
  narrowing: concernsOthers,
  gate: exempt("makes no agent act"),
  emits: [listingSubmitted],
  errors: [insufficientScope, resultNotIntact, bundleRefused, publisherKeyChanged, listingExists],
  largestBody: SUBMISSION_BYTES,
  validate: (_ctx, { body }) => submissionFaults(body, ["name", "version", "title", "summary", "limits"]),
  async handle(ctx, { body }) {
    const { file, source, visibility, note, ...said } = body;
    const { listing } =
      file === undefined
        ? await submitBundle(ctx, {
            ...(await packBundle(ctx, source as ListingSource, said as SaidOfBundle)),
            visibility,
            note,
          })
        : await importBundle(ctx, { file, visibility, note });
    return listingDetail(ctx, listing);
  },
});
