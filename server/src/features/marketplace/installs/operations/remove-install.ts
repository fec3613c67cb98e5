import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { installState, partsNotPermitted } from "../../errors.ts";
import { exampleInstallId, exampleInstallResult } from "../../example.ts";
import { InstallId } from "../../schema-words.ts";
import { InstallResult } from "../../schemas.ts";
import { remove } from "../removal.ts";
import { findInstall } from "../store.ts";

export const removeInstall = defineBatch({
  id: "marketplace.removeInstall",
  method: "DELETE",
  path: "/v1/marketplace/installs/{install}",
  summary: "Uninstall",
  description:
    "Archives or removes what the install created, each part by a call of its own; parts in use stay, and the result names what uses them. `dry_run=true` previews it.",
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
  handle: (ctx, { loaded }) => remove(ctx, loaded),
});
