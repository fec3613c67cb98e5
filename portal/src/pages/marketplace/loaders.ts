import { listInstalls } from "../../api/installs.ts";
import { listListings, listListingVersions, listRatings, readListing, readListingScan } from "../../api/marketplace.ts";
import { prefetch } from "../../api/queries.ts";
import type { LoaderContext } from "../context.ts";
import type { CatalogueSearch, ListingSearch, PublishSearch } from "./search.ts";

const states = ["submitted", "approved", "rejected", "quarantined", "recalled", "withdrawn"] as const;

/** What the catalogue shows for an address. */
export const listingsOf = ({ q, kind, function: business_function, origin, cursor }: CatalogueSearch) =>
  listListings({
    limit: 24,
    ...(q ? { q } : {}),
    ...(kind ? { kind } : {}),
    ...(business_function ? { business_function } : {}),
    ...(origin ? { origin } : {}),
    ...(cursor ? { cursor } : {}),
  });

/** All that the catalogue offers, as far as one page goes: for the choice of business functions. */
export const offered = () => ({ ...listListings({ limit: 100 }), staleTime: 60_000 });

/** What is installed in this environment. */
export const installedHere = () => listInstalls({ limit: 100 });

/** What was submitted here, whatever became of it. */
export const submitted = (origin: "own" | "imported") => listListings({ limit: 100, origin, state: [...states] });

export const loadCatalogue = ({ queryClient }: LoaderContext, search: CatalogueSearch) =>
  prefetch(queryClient, listingsOf(search));

export const loadListing = ({ queryClient }: LoaderContext, listing: string, { tab }: ListingSearch) =>
  prefetch(
    queryClient,
    readListing(listing),
    ...(tab === "versions" ? [listListingVersions(listing)] : []),
    ...(tab === "ratings" ? [listRatings(listing)] : []),
    ...(tab === "scan" ? [readListingScan(listing)] : []),
  );

export const loadPublish = ({ queryClient }: LoaderContext, { listing }: PublishSearch) =>
  prefetch(queryClient, submitted("own"), ...(listing === undefined ? [] : [readListing(listing)]));
