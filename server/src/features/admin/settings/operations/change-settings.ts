import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { exampleSettings } from "../../example.ts";
import { keyFacts } from "../../keys/facts.ts";
import { ChangeSettingsBody, EnvironmentSettings } from "../../schemas.ts";
import { noteRuleChange } from "../rule-changes.ts";
import {
  differences,
  effectiveSettings,
  installationLimits,
  markedReads,
  mergeSettings,
  settingsFaults,
} from "../rules.ts";
import { readSettings as readRow, settingsFacts, storeSettings } from "../store.ts";

const limitsFault = {
  pointer: "/limits",
  code: "not_changeable",
  detail: "belongs to the installation and is only shown here; leave it out",
};

export const changeSettings = defineOperation({
  id: "admin.changeSettings",
  method: "PATCH",
  path: "/v1/admin/settings",
  listed: true,
  summary: "Change the settings",
  description:
    "Changes the settings of this environment by a JSON Merge Patch (RFC 7396): null restores the default. Takes effect everywhere within a second. The audit record of the call lists what changed.",
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
    ...(body.limits === undefined ? [] : [limitsFault]),
  ],
  ifMatch: (loaded) => loaded.revision,
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("settings.change"),
  audit: "settings",
  async handle(ctx, { loaded, body }) {
    const { environment } = ctx.scope;
    const merged = mergeSettings(loaded.settings, body.settings ?? {});
    const before = effectiveSettings(loaded.settings, environment);
    const settings = effectiveSettings(merged, environment);
    const output = { environment, revision: loaded.revision, settings, limits: installationLimits };
    if (JSON.stringify(merged) === JSON.stringify(loaded.settings)) return output;
    if (!(await storeSettings(ctx, loaded.revision, merged)))
      throw refuse(
        staleRevision,
        "The settings were changed since you read them; read them again and repeat the change.",
      );
    ctx.touch(settingsFacts);
    ctx.touch(keyFacts);
    const changed = differences(before, settings);
    ctx.note(`changed: ${changed.join(", ") || "nothing that has an effect"}`);
    if (changed.length > 0) await noteRuleChange(ctx, "settings", `Changed the settings ${changed.join(", ")}`);
    for (const marked of markedReads(before, settings)) ctx.note(marked);
    return { ...output, revision: loaded.revision + 1 };
  },
});
