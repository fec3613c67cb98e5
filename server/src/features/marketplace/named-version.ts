import { refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import type { Here, ListingRow } from "./listing-store.ts";
import { findVersion, type VersionRow } from "./version-store.ts";

/** The version that a body names; refuses one that the listing does not have. */
export async function namedVersion(ctx: Here, listing: ListingRow, version: string): Promise<VersionRow> {
  const row = await findVersion(ctx, listing.id, version);
  if (row) return row;
  const detail = `${listing.name} has no version ${version}; GET /v1/marketplace/listings/${listing.id}/versions lists them`;
  const fault = { pointer: "/version", code: "unknown_version", detail };
  throw refuse(invalidBody, `/version: ${detail}`, { errors: [fault] });
}
