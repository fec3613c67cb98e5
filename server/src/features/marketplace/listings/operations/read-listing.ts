import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { exampleListingDetail, exampleListingId } from "../../example.ts";
import { Version } from "../../schema-words.ts";
import { ListingDetail } from "../../schemas.ts";
import { listings } from "../operation-parts.ts";
import { findVersion } from "../version-store.ts";
import { listingDetail } from "../view.ts";

export const readListing = defineRead({
  ...listings.readOfOne(),
  id: "marketplace.readListing",
  listed: true,
  summary: "Read a listing",
  description:
    "Its permissions, scorecard, signature, versions and limits. For the version that the catalogue shows, or `version`.",
  query: Type.Object({ version: Type.Optional(Version) }, { additionalProperties: false }),
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, output: exampleListingDetail },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  async handle(ctx, { loaded, query: { version } }) {
    if (version === undefined) return listingDetail(ctx, loaded);
    if (await findVersion(ctx, loaded.id, version)) return listingDetail(ctx, { ...loaded, shown: version });
    const detail = "names no version of the listing; `…/versions` lists them";
    const errors = [{ parameter: "version", code: "unknown_version", detail }];
    throw refuse(invalidParameter, `version ${detail}`, { errors });
  },
});
