import { wholeOf } from "../lib/pages.ts";
import { type Answer, type ChangeInput, type GetPath, type GetQuery, get, getText, send } from "./client.ts";
import { type Read, read } from "./queries.ts";
import type { Schema } from "./types.ts";

export type Listing = Schema<"Listing">;
export type ListingDetail = Schema<"ListingDetail">;
export type ListingVersion = Schema<"ListingVersion">;
export type ListingPublisher = Schema<"ListingPublisher">;
export type ListingReview = Schema<"ListingReview">;
export type ListingScan = Schema<"ListingScan">;
export type ListingPermission = ListingDetail["permissions"][number];
export type Scorecard = NonNullable<Listing["scorecard"]>;
export type ScanCounts = Listing["scan"];
export type PublisherBrief = Listing["publisher"];
export type NewListing = NonNullable<ChangeInput<"post", "/v1/marketplace/listings">["body"]>;
export type ListingSource = NonNullable<NewListing["source"]>;
export type NewVersion = NonNullable<ChangeInput<"post", "/v1/marketplace/listings/{listing}/versions">["body"]>;

const of = (listing: string) => ({ path: { listing } });

/** Reads that changes of listings make stale. */
export const listingPaths: readonly GetPath[] = [
  "/v1/marketplace/listings",
  "/v1/marketplace/listings/{listing}",
  "/v1/marketplace/listings/{listing}/versions",
];

export const listListings = (filter: GetQuery<"/v1/marketplace/listings">) =>
  read("/v1/marketplace/listings", { query: filter });
/** A listing with the version that the catalogue shows, or with another one. */
export const readListing = (listing: string, version?: string) =>
  read("/v1/marketplace/listings/{listing}", { ...of(listing), query: version === undefined ? {} : { version } });
/** All versions of a listing. */
export const listListingVersions = (listing: string): Read<Answer<"/v1/marketplace/listings/{listing}/versions">> => ({
  queryKey: ["/v1/marketplace/listings/{listing}/versions", of(listing)],
  queryFn: ({ signal }) =>
    wholeOf((from) =>
      get("/v1/marketplace/listings/{listing}/versions", { ...of(listing), query: { limit: 100, ...from } }, signal),
    ),
});
export const readPublisher = (publisher: string) =>
  read("/v1/marketplace/publishers/{publisher}", { path: { publisher } });
export const readListingScan = (listing: string, version?: string) =>
  read("/v1/marketplace/listings/{listing}/scan", {
    ...of(listing),
    query: version === undefined ? {} : { version },
  });
export const listRatings = (listing: string) =>
  read("/v1/marketplace/listings/{listing}/reviews", { ...of(listing), query: { limit: 100 } });
/** The `.aosbundle` file of a version, as a text. */
export const readBundleText = (listing: string, version: string): Promise<string> =>
  getText(
    "/v1/marketplace/listings/{listing}/versions/{version}",
    { path: { listing, version } },
    "application/vnd.aos.bundle+json",
  );

export const createListing = (body: NewListing) => send("post", "/v1/marketplace/listings", { body });
export const createListingVersion = ({ listing, ...body }: { listing: string } & NewVersion) =>
  send("post", "/v1/marketplace/listings/{listing}/versions", { ...of(listing), body });
/** Changes a listing, unless it changed since it was read at this revision. */
export const changeListing = ({
  listing,
  revision,
  ...body
}: { listing: string; revision: number } & ChangeInput<"patch", "/v1/marketplace/listings/{listing}">["body"]) =>
  send("patch", "/v1/marketplace/listings/{listing}", {
    ...of(listing),
    headers: { "If-Match": `"${revision}-json"` },
    body,
  });
export const withdrawListing = (listing: string) => send("delete", "/v1/marketplace/listings/{listing}", of(listing));
export const rateListing = ({
  listing,
  ...body
}: { listing: string } & ChangeInput<"post", "/v1/marketplace/listings/{listing}/reviews">["body"]) =>
  send("post", "/v1/marketplace/listings/{listing}/reviews", { ...of(listing), body });
export const reportListing = ({
  listing,
  ...body
}: { listing: string } & ChangeInput<"post", "/v1/marketplace/listings/{listing}/report">["body"]) =>
  send("post", "/v1/marketplace/listings/{listing}/report", { ...of(listing), body });
export const reviewListing = ({
  listing,
  ...body
}: { listing: string } & ChangeInput<"post", "/v1/marketplace/listings/{listing}/review">["body"]) =>
  send("post", "/v1/marketplace/listings/{listing}/review", { ...of(listing), body });
export const listReports = (listing: string) =>
  read("/v1/marketplace/listings/{listing}/reports", { ...of(listing), query: { limit: 100 } });
