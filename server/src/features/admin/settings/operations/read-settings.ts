import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleSettings } from "../../example.ts";
import { EnvironmentSettings } from "../../schemas.ts";
import { effectiveSettings, installationLimits } from "../rules.ts";
import { readSettings as readRow } from "../store.ts";

export const readSettings = defineRead({
  id: "admin.readSettings",
  path: "/v1/admin/settings",
  listed: true,
  summary: "Read the settings",
  description:
    "The settings of this environment, with the defaults of what it has not set, and the installation's limits.",
  output: EnvironmentSettings,
  example: { output: exampleSettings },
  revision: (output) => output.revision,
  permission: "admin:read",
  load: exempt("names no object; every environment has settings"),
  compliance: governs("settings.read"),
  audit: "settings",
  async handle(ctx) {
    const { revision, settings } = await readRow(ctx);
    const { environment } = ctx.scope;
    return { environment, revision, settings: effectiveSettings(settings, environment), limits: installationLimits };
  },
});
