import { all, first, insert, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import { type ChangedSettings, effectiveSettings, standardsOf } from "./rules.ts";
import type { Settings } from "./schemas.ts";

interface Row {
  organization: string;
  environment: Environment;
  settings: ChangedSettings;
}

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

  of({ organization, environment }: Scope): Settings {
    return this.#settings.get(`${organization} ${environment}`) ?? standardsOf(environment);
  }
}

export const settingsFacts = defineFacts<SettingsDirectory>({
  topic: "settings",
  async load(db) {
    return new SettingsDirectory(await db.query<Row>("select organization, environment, settings from settings"));
  },
});

/** What an environment has changed. Revision 0: nothing was ever changed. */
export interface SettingsRow {
  readonly settings: ChangedSettings;
  readonly revision: number;
}

export async function readSettings(ctx: ReadContext | WriteContext): Promise<SettingsRow> {
  const row = await first(ctx, select(ctx, "settings", "s").select(["s.settings", "s.revision"]));
  return (row as SettingsRow | undefined) ?? { settings: {}, revision: 0 };
}

/** Stores the changed settings as the revision after `revision`. Returns false if they were changed since that one. */
export async function storeSettings(ctx: WriteContext, revision: number, changed: ChangedSettings): Promise<boolean> {
  const row = { settings: JSON.stringify(changed), author: ctx.principal.id, updated_at: new Date(ctx.now) };
  const query =
    revision === 0
      ? insert(ctx, "settings", row)
          .onConflict((on) => on.doNothing())
          .returning("revision")
      : update(ctx, "settings")
          .set({ ...row, revision: sql<number>`revision + 1` })
          .where("revision", "=", revision)
          .returning("revision");
  return (await all(ctx, query)).length > 0;
}
