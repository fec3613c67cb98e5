import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { bundleRefused, installState, partsNotPermitted } from "../../errors.ts";
import { exampleInstallId, exampleInstallResult } from "../../example.ts";
import { InstallId } from "../../schema-words.ts";
import { InstallResult, ResetInstallBody } from "../../schemas.ts";
import { findInstall } from "../store.ts";
import { reset } from "../update/update.ts";

export const resetInstall = defineBatch({
  id: "marketplace.resetInstall",
  path: "/v1/marketplace/installs/{install}/reset",
  summary: "Drop local changes",
  description:
    "Recreates parts that were changed, failed or are missing, as drafts of the installed version. Deployments stay.",
  params: Type.Object({ install: InstallId }),
  body: ResetInstallBody,
  output: InstallResult,
  example: { params: { install: exampleInstallId }, body: {}, output: exampleInstallResult },
  permission: "marketplace:install",
  load: (ctx, { install }) => findInstall(ctx, install),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: ["agent_content", "workflow_version", "training", "documents", "rules"],
  compliance: governs("install.change"),
  audit: ({ params }) => `install:${params.install}`,
  errors: [bundleRefused, installState, partsNotPermitted],
  handle: (ctx, { body, loaded }) => reset(ctx, loaded, body),
});
