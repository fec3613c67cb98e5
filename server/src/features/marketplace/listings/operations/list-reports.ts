import { defineList } from "../../../../kernel/listing.ts";
import { exampleListingId, exampleReport } from "../../example.ts";
import { ListingReport } from "../../schemas.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import { reports } from "../resource.ts";
import { reportView } from "../view.ts";

export const listReports = defineList({
  ...listings.readOfOne("listing.review"),
  id: "marketplace.listReports",
  path: "/v1/marketplace/listings/{listing}/reports",
  summary: "List reports of abuse",
  item: ListingReport,
  example: { params: { listing: exampleListingId }, item: exampleReport },
  permission: "marketplace:review",
  narrowing: concernsOthers,
  read: (ctx, _filter, page, { id }) => reports.page(ctx, page, (query) => query.where("r.listing_id", "=", id)),
  position: ({ id }) => id,
  view: reportView,
});
