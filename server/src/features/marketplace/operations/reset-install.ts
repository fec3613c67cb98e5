import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { bundleRefused, installState, partsNotPermitted } from "../errors.ts";
import { exampleInstallId, exampleInstallResult } from "../example.ts";
import { findInstall } from "../install-store.ts";
import { InstallResult, ResetInstallBody } from "../schemas.ts";
import { reset } from "../update.ts";
import { InstallId } from "../words.ts";

export const resetInstall = withPorts((ports) =>
  defineBatch({
    id: "marketplace.resetInstall",
    path: "/v1/marketplace/installs/{install}/reset",
    summary: "Drop local changes",
    description:
      "Makes drafts of the installed version again where parts were changed, failed or are gone. What is deployed stays deployed.",
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
    handle: (ctx, { body, loaded }) => reset(ctx, ports, loaded, body),
  }),
);
