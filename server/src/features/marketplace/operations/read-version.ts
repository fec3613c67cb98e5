import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleListingId, exampleListingVersion, exampleVersion } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ListingVersion } from "../schemas.ts";
import { ListingId, Version } from "../words.ts";

export const readVersion = defineRead({
  id: "marketplace.readVersion",
  path: "/v1/marketplace/listings/{listing}/versions/{version}",
  summary: "Read a version, or download its file",
  description:
    "With `Accept: application/vnd.aos.bundle+json`: the `.aosbundle` file, to carry it to another installation. Files of private listings, and of versions that are quarantined or recalled, are not given out.",
  params: Type.Object({ listing: ListingId, version: Version }),
  output: ListingVersion,
  example: { params: { listing: exampleListingId, version: exampleVersion }, output: exampleListingVersion },
  permission: "marketplace:read",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  handle: () => {
    throw new Error("not built yet");
  },
});
