import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { listingReported } from "../events.ts";
import { exampleListingId, exampleReport } from "../example.ts";
import { reportView } from "../feedback-view.ts";
import { findListing } from "../listing-store.ts";
import { manifestOf } from "../listing-view.ts";
import { namedVersion } from "../named-version.ts";
import { insertReport } from "../report-store.ts";
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
  decides: exempt("reports of abuse are for people"),
  compliance: governs("listing.report"),
  audit: ({ params }) => `listing:${params.listing}`,
  emits: [listingReported],
  async handle(ctx, { loaded, body: { kind, detail, version = loaded.shown } }) {
    const about = await namedVersion(ctx, loaded, version);
    const { id: listing_id, name } = loaded;
    const report = await insertReport(ctx, { id: ctx.newId("abr"), listing_id, version, kind, detail });
    ctx.emit(listingReported, {
      listing_id,
      name,
      title: manifestOf(about).title,
      version,
      report_id: report.id,
      kind,
    });
    return reportView(report);
  },
});
