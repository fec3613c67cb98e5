import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import * as problems from "../../errors.ts";
import { exampleDigest, exampleInstallResult, exampleListingId, examplePreview } from "../../example.ts";
import { listingRows } from "../../listings/resource.ts";
import { ListingId } from "../../schema-words.ts";
import { InstallListingBody, InstallResult } from "../../schemas.ts";
import { install } from "../install.ts";

export const installListing = defineBatch({
  id: "marketplace.installListing",
  path: "/v1/marketplace/listings/{listing}/install",
  listed: true,
  summary: "Install a listing",
  description:
    "Creates the bundle's parts as drafts in the installer's name, after consent to its permissions. Each part is a call of its own, with permissions, policies and audit. Nothing of the bundle runs; `next_steps` of the install list what remains to be done.",
  params: Type.Object({ listing: ListingId }),
  body: InstallListingBody,
  output: InstallResult,
  example: {
    params: { listing: exampleListingId },
    body: {
      digest: exampleDigest,
      consent: { permissions: examplePreview.permissions_digest, publisher_key: examplePreview.publisher.key_id },
    },
    output: exampleInstallResult,
  },
  permission: "marketplace:install",
  load: (ctx, { listing }) => listingRows.find(ctx, listing),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
  compliance: governs("install.create"),
  audit: ({ params }) => `listing:${params.listing}`,
  errors: [
    problems.consentMissing,
    problems.listingState,
    problems.publisherKeyChanged,
    problems.namesTaken,
    problems.partsNotPermitted,
    problems.bundleRefused,
  ],
  handle: (ctx, { body, loaded }) => install(ctx, loaded, body),
});
