import { Type } from "typebox";
import { openToAll } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { bundleRefused } from "../errors.ts";
import { exampleListingId, examplePreview } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { previewNew } from "../preview.ts";
import { previewUpdate } from "../preview-update.ts";
import { InstallPreview, PreviewInstallBody } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const previewInstall = withPorts((ports) =>
  defineOperation({
    id: "marketplace.previewInstall",
    method: "POST",
    path: "/v1/marketplace/listings/{listing}/preview",
    summary: "Preview an install",
    description: "What an install, or an update of one, would create and ask for. Nothing is made.",
    params: Type.Object({ listing: ListingId }),
    body: PreviewInstallBody,
    output: InstallPreview,
    example: { params: { listing: exampleListingId }, body: {}, output: examplePreview },
    permission: "marketplace:read",
    load: (ctx, { listing }) => findListing(ctx, listing),
    narrowing: openToAll("makes nothing"),
    gate: exempt("makes no agent act"),
    decides: exempt("previews and stores nothing"),
    compliance: governs("listing.read"),
    audit: ({ params }) => `listing:${params.listing}`,
    errors: [bundleRefused],
    handle: (ctx, { body, loaded }) => {
      const { install } = body;
      return install === undefined
        ? previewNew(ctx, ports, loaded, body)
        : previewUpdate(ctx, ports, loaded, { ...body, install });
    },
  }),
);
