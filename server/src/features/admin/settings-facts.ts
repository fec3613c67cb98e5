import { defineFacts } from "../../kernel/facts.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { Settings } from "./people-schemas.ts";
import { type ChangedSettings, effectiveSettings, standardsOf } from "./settings-model.ts";

interface Row {
  organization: string;
  environment: Environment;
  settings: ChangedSettings;
}

/** The settings in force, by organization and environment. */
export class SettingsDirectory {
  readonly #settings: ReadonlyMap<string, Settings>;
  constructor(rows: readonly Row[]) {
    this.#settings = new Map(
      rows.map(({ organization, environment, settings }) => [
        `${organization} ${environment}`,
        effectiveSettings(settings, environment),
      ]),
    );
  }

  /** Those of one environment; the standards where it has changed nothing. */
  of(scope: Scope): Settings {
    if (this.#settings.size === 0) return standardsOf(scope.environment);
    return this.#settings.get(`${scope.organization} ${scope.environment}`) ?? standardsOf(scope.environment);
  }
}

/** What environments have changed of the settings; touched by whatever changes them. */
export const settingsFacts = defineFacts<SettingsDirectory>({
  topic: "settings",
  async load(db) {
    return new SettingsDirectory(await db.query<Row>("select organization, environment, settings from settings"));
  },
});
