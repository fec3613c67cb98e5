import { listInstalls, listRecalls, readInstall } from "../../api/installs.ts";
import { listListings, readListing } from "../../api/marketplace.ts";
import { prefetch } from "../../api/queries.ts";
import type { LoaderContext } from "../context.ts";
import type { InstallSearch, InstallsSearch, RecallsSearch, ReviewSearch } from "./install-search.ts";

const page = (cursor: string | undefined) => ({ limit: 25, ...(cursor ? { cursor } : {}) });

/** What the list shows for an address. */
export const installsOf = ({ cursor, removed }: InstallsSearch) =>
  listInstalls({ ...page(cursor), ...(removed === "yes" ? { removed: true } : {}) });
export const recallsOf = ({ cursor }: RecallsSearch) => listRecalls(page(cursor));
const reviewed = { waiting: ["submitted"], approved: ["approved"], held: ["quarantined", "recalled"] } as const;
/** Listings that reviewers look at; those of which a version waits by default. */
export const reviewableOf = ({ cursor, view }: ReviewSearch) =>
  listListings({ ...page(cursor), state: [...reviewed[view ?? "waiting"]] });

export const loadInstalls = ({ queryClient }: LoaderContext, search: InstallsSearch) =>
  prefetch(queryClient, installsOf(search));
export const loadInstall = ({ queryClient }: LoaderContext, install: string, _search: InstallSearch) =>
  prefetch(queryClient, readInstall(install));
export const loadRecalls = ({ queryClient }: LoaderContext, search: RecallsSearch) =>
  prefetch(queryClient, recallsOf(search));
export const loadReview = ({ queryClient }: LoaderContext, search: ReviewSearch) =>
  prefetch(queryClient, reviewableOf(search), ...(search.listing === undefined ? [] : [readListing(search.listing)]));
