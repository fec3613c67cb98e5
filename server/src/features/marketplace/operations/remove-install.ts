import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { installState, partsNotPermitted } from "../errors.ts";
import { exampleInstallId, exampleInstallResult } from "../example.ts";
import { findInstall } from "../install-store.ts";
import { remove } from "../removal.ts";
import { InstallResult } from "../schemas.ts";
import { InstallId } from "../words.ts";

export const removeInstall = withPorts((ports) =>
  defineBatch({
    id: "marketplace.removeInstall",
    method: "DELETE",
    path: "/v1/marketplace/installs/{install}",
    summary: "Uninstall",
    description:
      "Archives or removes what the install made, each by a call of its own; what something else uses stays, and the result says by what. `dry_run=true` shows it first.",
    params: Type.Object({ install: InstallId }),
    output: InstallResult,
    example: { params: { install: exampleInstallId }, output: exampleInstallResult },
    permission: "marketplace:install",
    load: (ctx, { install }) => findInstall(ctx, install),
    narrowing: whole("concerns agents of other publishers and what installs make"),
    gate: exempt("makes no agent act"),
    decides: ["agent_content", "rules"],
    compliance: governs("install.remove"),
    audit: ({ params }) => `install:${params.install}`,
    errors: [installState, partsNotPermitted],
    handle: (ctx, { loaded }) => remove(ctx, ports, loaded),
  }),
);
