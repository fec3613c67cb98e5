import type { Reader } from "../../kernel/db.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { OpenConnection } from "./connections-model.ts";
import { openConnection } from "./connections-store.ts";
import type { Settings } from "./people-schemas.ts";
import { settingsFacts } from "./settings-facts.ts";

export {
  type ConnectedModel,
  type ConnectionHeaders,
  headersOf,
  type ModelAccess,
  modelAccess,
  type OpenConnection,
} from "./connections-model.ts";
export { actorWithKey } from "./key-actor.ts";
export type { Settings } from "./people-schemas.ts";

/** The settings in force in the environment of a call, or of any other scope. From memory. */
export function settingsOf(ctx: { readonly facts: FactsReader; readonly scope: Scope }): Settings {
  return ctx.facts.get(settingsFacts).of(ctx.scope);
}

/** Whether approvals in a scope are decided as in production: always in staging and production, and in development where its settings say so. From memory. */
export function decidesStrictly(ctx: { readonly facts: FactsReader; readonly scope: Scope }): boolean {
  return settingsOf(ctx).approvals.strict;
}

/**
 * The connection of a name in an environment, with its secret, read from the database: what was replaced or removed counts at once. Undefined: there is none.
 * The secret is for headers to `baseUrl` and for nothing else; `headersOf` and `modelAccess` see to that.
 */
export function findConnection(
  db: Pick<Reader, "query">,
  credentialKey: Buffer,
  scope: Scope,
  name: string,
): Promise<OpenConnection | undefined> {
  return openConnection(db, credentialKey, scope, name);
}
