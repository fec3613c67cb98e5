import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import type { ChangedSettings } from "./settings-model.ts";

/** What an environment has changed. Revision 0: nothing, ever. */
export interface SettingsRow {
  readonly settings: ChangedSettings;
  readonly revision: number;
}

export async function readSettings(ctx: ReadContext | WriteContext): Promise<SettingsRow> {
  const [row] = await ctx.db.query<SettingsRow>(
    "select settings, revision from settings where organization = $1 and environment = $2",
    [ctx.scope.organization, ctx.scope.environment],
  );
  return row ?? { settings: {}, revision: 0 };
}

/** Stores what is changed now, as the revision after `revision`. False: somebody else has changed it since that one. */
export async function storeSettings(ctx: WriteContext, revision: number, settings: ChangedSettings): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, JSON.stringify(settings), ctx.principal.id, new Date(ctx.now)];
  const text =
    revision === 0
      ? `insert into settings (organization, environment, settings, author, updated_at) values ($1, $2, $3, $4, $5)
         on conflict do nothing returning revision`
      : `update settings set settings = $3, author = $4, updated_at = $5, revision = revision + 1
         where organization = $1 and environment = $2 and revision = $6 returning revision`;
  return (await ctx.db.query(text, revision === 0 ? values : [...values, revision])).length > 0;
}
