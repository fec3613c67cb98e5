import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleReport } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ListingReport, ReportListingBody } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const reportListing = defineOperation({
  id: "marketplace.reportListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/report",
  status: 201,
  summary: "Report abuse",
  description: "Tells those who review listings.",
  params: Type.Object({ listing: ListingId }),
  body: ReportListingBody,
  output: ListingReport,
  example: {
    params: { listing: exampleListingId },
    body: { kind: "misleading", detail: "It says German; it knows English only." },
    output: exampleReport,
  },
  permission: "marketplace:rate",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  gate: exempt("makes no agent act"),
  compliance: governs("listing.report"),
  audit: ({ params }) => `listing:${params.listing}`,
  handle: () => {
    throw new Error("not built yet");
  },
});
