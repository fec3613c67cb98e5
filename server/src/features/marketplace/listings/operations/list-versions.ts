import { defineList } from "../../../../kernel/listing.ts";
import { exampleListingId, exampleListingVersion } from "../../example.ts";
import { ListingVersion } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { listVersionRows } from "../version-store.ts";
import { versionView } from "../view.ts";

export const listVersions = defineList({
  ...listings.readOfOne(),
  id: "marketplace.listVersions",
  path: "/v1/marketplace/listings/{listing}/versions",
  summary: "List a listing's versions",
  description: "By number, the newest first.",
  item: ListingVersion,
  example: { params: { listing: exampleListingId }, item: exampleListingVersion },
  sort: "-version",
  read: (ctx, _filter, page, { id }) => listVersionRows(ctx, id, page),
  position: ({ version }) => version,
  view: versionView,
});
