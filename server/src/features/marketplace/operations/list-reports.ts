import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleReport } from "../example.ts";
import { reportView } from "../feedback-view.ts";
import { findListing } from "../listing-store.ts";
import { listReportRows } from "../report-store.ts";
import { ListingReport } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const listReports = defineList({
  id: "marketplace.listReports",
  path: "/v1/marketplace/listings/{listing}/reports",
  summary: "List reports of abuse",
  params: Type.Object({ listing: ListingId }),
  item: ListingReport,
  example: { params: { listing: exampleListingId }, item: exampleReport },
  permission: "marketplace:review",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  compliance: governs("listing.review"),
  audit: ({ params }) => `listing:${params.listing}`,
  read: (ctx, _filter, page, { id }) => listReportRows(ctx, id, page),
  position: ({ id }) => id,
  view: reportView,
});
