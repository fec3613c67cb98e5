import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleInstall, exampleInstallId } from "../../example.ts";
import { InstallId } from "../../schema-words.ts";
import { Install } from "../../schemas.ts";
import { findInstall } from "../store.ts";
import { installView } from "../view.ts";

export const readInstall = defineRead({
  id: "marketplace.readInstall",
  path: "/v1/marketplace/installs/{install}",
  summary: "Read an install",
  description: "Its parts, their changes since the install, its permissions and the next steps.",
  params: Type.Object({ install: InstallId }),
  output: Install,
  example: { params: { install: exampleInstallId }, output: exampleInstall },
  permission: "marketplace:read",
  load: (ctx, { install }) => findInstall(ctx, install),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  compliance: governs("install.read"),
  audit: ({ params }) => `install:${params.install}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  handle: (ctx, { loaded }) => installView(ctx, loaded),
});
