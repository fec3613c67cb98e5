import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import {
  bundleRefused,
  consentMissing,
  installState,
  listingState,
  localChanges,
  namesTaken,
  partsNotPermitted,
  publisherKeyChanged,
} from "../../errors.ts";
import { exampleDigest, exampleInstallId, exampleInstallResult, examplePreview } from "../../example.ts";
import { InstallId } from "../../schema-words.ts";
import { InstallResult, UpdateInstallBody } from "../../schemas.ts";
import { findInstall } from "../store.ts";
import { update } from "../update/update.ts";

export const updateInstall = defineBatch({
  id: "marketplace.updateInstall",
  path: "/v1/marketplace/installs/{install}/update",
  summary: "Update an install",
  description:
    "Installs a newer version as drafts. `POST …/listings/{listing}/preview` with `install` shows the difference of permissions first. Deployments stay.",
  params: Type.Object({ install: InstallId }),
  body: UpdateInstallBody,
  output: InstallResult,
  example: {
    params: { install: exampleInstallId },
    body: {
      digest: exampleDigest,
      consent: { permissions: examplePreview.permissions_digest, publisher_key: examplePreview.publisher.key_id },
    },
    output: exampleInstallResult,
  },
  permission: "marketplace:install",
  load: (ctx, { install }) => findInstall(ctx, install),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
  compliance: governs("install.change"),
  audit: ({ params }) => `install:${params.install}`,
  errors: [
    bundleRefused,
    consentMissing,
    listingState,
    publisherKeyChanged,
    namesTaken,
    partsNotPermitted,
    installState,
    localChanges,
  ],
  handle: (ctx, { body, loaded }) => update(ctx, loaded, body),
});
