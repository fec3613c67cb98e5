import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { staleRevision } from "../../../kernel/problems.ts";
import { keyFacts } from "../facts.ts";
import { installationLimits } from "../installation-limits.ts";
import { exampleSettings } from "../people-example.ts";
import { ChangeSettingsBody, EnvironmentSettings } from "../schemas.ts";
import { settingsFacts } from "../settings-facts.ts";
import { differences, effectiveSettings, markedReads, mergeSettings, settingsFaults } from "../settings-model.ts";
import { readSettings as readRow, storeSettings } from "../settings-store.ts";

export const changeSettings = defineOperation({
  id: "admin.changeSettings",
  method: "PATCH",
  path: "/v1/admin/settings",
  listed: true,
  summary: "Change the settings",
  description:
    "Changes what is set in this environment, by a JSON Merge Patch (RFC 7396): null brings the standard back. It holds everywhere within a second. What was changed stands in the call's audit record.",
  body: ChangeSettingsBody,
  output: EnvironmentSettings,
  example: {
    body: {
      settings: {
        rate: { per_second: 50 },
        approvals: { high: { expires_in_seconds: 86_400, on_expiry: "escalate" } },
      },
    },
    output: exampleSettings,
  },
  revision: (output) => output.revision,
  permission: "admin:write",
  load: (ctx) => readRow(ctx),
  validate: (ctx, { body }) => [
    ...settingsFaults(body.settings, ctx.scope.environment),
    ...(body.limits === undefined
      ? []
      : [
          {
            pointer: "/limits",
            code: "not_changeable",
            detail: "belongs to the installation, and is only shown here; leave it out",
          },
        ]),
  ],
  ifMatch: (loaded) => loaded.revision,
  gate: exempt("makes no agent act"),
  compliance: governs("settings.change"),
  audit: "settings",
  async handle(ctx, { loaded, body }) {
    const { environment } = ctx.scope;
    const merged = mergeSettings(loaded.settings, body.settings ?? {});
    const [before, settings] = [
      effectiveSettings(loaded.settings, environment),
      effectiveSettings(merged, environment),
    ];
    if (JSON.stringify(merged) === JSON.stringify(loaded.settings)) {
      return { environment, revision: loaded.revision, settings, limits: installationLimits };
    }
    if (!(await storeSettings(ctx, loaded.revision, merged))) {
      throw refuse(
        staleRevision,
        "The settings were changed since you read them; read them again and repeat the change.",
      );
    }
    ctx.touch(settingsFacts);
    ctx.touch(keyFacts);
    ctx.note(`changed: ${differences(before, settings).join(", ") || "nothing that has an effect"}`);
    for (const marked of markedReads(before, settings)) ctx.note(marked);
    return { environment, revision: loaded.revision + 1, settings, limits: installationLimits };
  },
});
