import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleListingVersion } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { versionView } from "../listing-view.ts";
import { ListingVersion } from "../schemas.ts";
import { listVersionRows } from "../version-store.ts";
import { ListingId } from "../words.ts";

export const listVersions = defineList({
  id: "marketplace.listVersions",
  path: "/v1/marketplace/listings/{listing}/versions",
  summary: "List a listing's versions",
  description: "By number, the newest first.",
  params: Type.Object({ listing: ListingId }),
  item: ListingVersion,
  example: { params: { listing: exampleListingId }, item: exampleListingVersion },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  sort: "-version",
  read: (ctx, _filter, page, { id }) => listVersionRows(ctx, id, page),
  position: ({ version }) => version,
  view: versionView,
});
