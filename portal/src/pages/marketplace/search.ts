import { textOf, wordOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const kinds = ["agent", "workflow", "tool_set", "policy_pack", "dataset", "scorer"] as const;
export const origins = ["own", "imported", "starter"] as const;
export const listingTabs = ["about", "permissions", "signature", "versions", "ratings", "scan"] as const;

export interface CatalogueSearch {
  readonly q?: string;
  readonly kind?: (typeof kinds)[number];
  readonly function?: string;
  readonly origin?: (typeof origins)[number];
  readonly cursor?: string;
}
export interface ListingSearch {
  readonly tab?: (typeof listingTabs)[number];
  /** The dialog of consent is open. */
  readonly install?: "yes";
}
export interface PublishSearch {
  readonly from?: "work" | "file";
  /** The listing of which a new version is published, by id. */
  readonly listing?: string;
}

export const catalogueSearch = (given: Record<string, unknown>): CatalogueSearch => ({
  q: textOf(given, "q"),
  kind: wordOf(given, "kind", kinds),
  function: textOf(given, "function"),
  origin: wordOf(given, "origin", origins),
  cursor: textOf(given, "cursor"),
});
export const listingSearch = (given: Record<string, unknown>): ListingSearch => ({
  tab: wordOf(given, "tab", listingTabs),
  install: wordOf(given, "install", ["yes"]),
});
export const publishSearch = (given: Record<string, unknown>): PublishSearch => ({
  from: wordOf(given, "from", ["work", "file"]),
  listing: textOf(given, "listing"),
});
