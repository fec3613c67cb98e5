import { Type } from "typebox";
import type { ReadContext, StreamContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { listingPrivate, listingState } from "../../errors.ts";
import { exampleListingId, exampleListingVersion, exampleVersion } from "../../example.ts";
import { ListingId, Version } from "../../schema-words.ts";
import { ListingVersion } from "../../schemas.ts";
import { inCatalogue } from "../operation-parts.ts";
import { type ListingRow, listingRows } from "../resource.ts";
import { findVersion, readBundleText, type VersionRow } from "../version-store.ts";
import { versionView } from "../view.ts";

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
  streams: { "application/vnd.aos.bundle+json": bundleFile },
  load: loadVersion,
  narrowing: inCatalogue,
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  errors: [listingPrivate, listingState],
  handle: (_ctx, { loaded }) => versionView(loaded.row),
});

interface Loaded {
  readonly listing: ListingRow;
  readonly row: VersionRow;
}

async function loadVersion(
  ctx: ReadContext,
  params: { listing: string; version: string },
): Promise<Loaded | undefined> {
  const listing = await listingRows.find(ctx, params.listing);
  const row = listing && (await findVersion(ctx, listing.id, params.version));
  return listing && row && { listing, row };
}

async function bundleFile(ctx: StreamContext, { loaded }: { loaded: Loaded }): Promise<AsyncIterable<string>> {
  const { listing, row } = loaded;
  if (row.state === "quarantined" || row.state === "recalled")
    throw refuse(listingState, `Version ${row.version} is ${row.state}: its file is not given out.`);
  if (listing.visibility === "private")
    throw refuse(listingPrivate, `${listing.id} is private: its files do not leave the organization.`);
  return pieces(await readBundleText(ctx, row));
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
