import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { listingReported } from "../../events.ts";
import { exampleListingId, exampleReport } from "../../example.ts";
import { ListingReport, ReportListingBody } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { reports } from "../resource.ts";
import { namedVersion } from "../version-store.ts";
import { manifestOf, reportView } from "../view.ts";

export const reportListing = defineOperation({
  ...listings.changeOfOne("listing.report"),
  id: "marketplace.reportListing",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/report",
  status: 201,
  summary: "Report abuse",
  description: "Notifies the reviewers of listings.",
  body: ReportListingBody,
  output: ListingReport,
  example: {
    params: { listing: exampleListingId },
    body: { kind: "misleading", detail: "It says German; it knows English only." },
    output: exampleReport,
  },
  permission: "marketplace:rate",
  gate: exempt("makes no agent act"),
  decides: exempt("reports of abuse are for people"),
  emits: [listingReported],
  async handle(ctx, { loaded, body: { kind, detail, version = loaded.shown } }) {
    const about = await namedVersion(ctx, loaded, version);
    const { id: listing_id, name } = loaded;
    const report = await reports.insert(ctx, {
      id: ctx.newId("abr"),
      listing_id,
      version,
      kind,
      detail,
      reported_by: ctx.principal.id,
      created_at: new Date(ctx.now),
    });
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
