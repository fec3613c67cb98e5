import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { readEntries } from "../catalogue-store.ts";
import { exampleListing } from "../example.ts";
import { listListingRows } from "../listing-store.ts";
import { listingView } from "../listing-view.ts";
import { Listing } from "../schemas.ts";
import { BundleKind, ListingState } from "../words.ts";

export const listListings = defineList({
  id: "marketplace.listListings",
  path: "/v1/marketplace/listings",
  listed: true,
  summary: "Browse the catalogue",
  description: "Approved listings, newest first; `state` shows others.",
  filters: {
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Words in name, title, summary or business function." }),
    ),
    kind: Type.Optional(BundleKind),
    business_function: Type.Optional(Type.String({ maxLength: 100, description: "Such as `Finance`." })),
    state: commaList(
      ListingState,
      "States; default `approved`. `submitted` also finds approved ones of which a newer version waits",
    ),
    publisher: Type.Optional(Type.String({ maxLength: 64, description: "By id." })),
    origin: Type.Optional(Type.Enum(["own", "imported", "starter"] as const, { description: "Where it comes from." })),
  },
  item: Listing,
  example: { item: exampleListing },
  permission: "marketplace:read",
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: "listings",
  read: async (ctx, filter, page) => readEntries(ctx, await listListingRows(ctx, filter, page)),
  position: ({ listing }) => listing.id,
  view: listingView,
});
