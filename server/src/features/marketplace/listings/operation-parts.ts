import { Type } from "typebox";
import { openToAll, whole } from "../../../kernel/narrowing.ts";
import { defineResource } from "../../../resources/resource.ts";
import { exampleListing } from "../example.ts";
import { ListingId } from "../schema-words.ts";
import { readEntries } from "./catalogue-store.ts";
import { storedListings } from "./resource.ts";
import { Listing } from "./schemas.ts";
import { listingView } from "./view.ts";

export const inCatalogue = openToAll("a catalogue for everybody, of no agent");
export const concernsOthers = whole("concerns agents of other publishers and what installs make");

export const listings = defineResource({
  ...storedListings,
  path: "/v1/marketplace/listings",
  member: Type.Object({ listing: ListingId }),
  item: Listing,
  identity: "listing_id",
  example: { params: { listing: exampleListing.listing_id }, item: exampleListing },
  complete: (ctx, rows) => readEntries(ctx, rows),
  view: listingView,
  object: "listing",
  objects: "listings",
  permission: { read: "marketplace:read", change: "marketplace:write" },
  governs: { read: "listing.read", change: "listing.change" },
  narrowing: { one: inCatalogue, all: inCatalogue },
  decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
});
