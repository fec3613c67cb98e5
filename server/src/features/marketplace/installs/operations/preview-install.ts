import { Type } from "typebox";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { bundleRefused } from "../../errors.ts";
import { exampleListingId, examplePreview } from "../../example.ts";
import { listingRows } from "../../listings/resource.ts";
import { ListingId } from "../../schema-words.ts";
import { InstallPreview, PreviewInstallBody } from "../../schemas.ts";
import { previewNew } from "../prepare.ts";
import { previewUpdate } from "../update/update.ts";

export const previewInstall = defineOperation({
  id: "marketplace.previewInstall",
  method: "POST",
  path: "/v1/marketplace/listings/{listing}/preview",
  summary: "Preview an install",
  description: "What an install or an update would create and ask for. Creates nothing.",
  params: Type.Object({ listing: ListingId }),
  body: PreviewInstallBody,
  output: InstallPreview,
  example: { params: { listing: exampleListingId }, body: {}, output: examplePreview },
  permission: "marketplace:read",
  load: (ctx, { listing }) => listingRows.find(ctx, listing),
  narrowing: openToAll("makes nothing"),
  gate: exempt("makes no agent act"),
  decides: exempt("previews and stores nothing"),
  compliance: governs("listing.read"),
  audit: ({ params }) => `listing:${params.listing}`,
  errors: [bundleRefused],
  handle: (ctx, { body, loaded }) => {
    const { install } = body;
    return install === undefined ? previewNew(ctx, loaded, body) : previewUpdate(ctx, loaded, { ...body, install });
  },
});
