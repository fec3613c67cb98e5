import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Settings } from "./people-schemas.ts";
import { settingsFacts } from "./settings-facts.ts";

export type { Settings } from "./people-schemas.ts";

/** The settings in force in the environment of a call, or of any other scope. From memory. */
export function settingsOf(ctx: { readonly facts: FactsReader; readonly scope: Scope }): Settings {
  return ctx.facts.get(settingsFacts).of(ctx.scope);
}
