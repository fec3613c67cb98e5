import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Settings } from "./settings-schemas.ts";
import { settingsFacts } from "./settings-store.ts";

export { serviceAccountFor } from "./account.ts";
export { type ConnectionTestResult, connectionTests } from "./connection-tests.ts";
export {
  type ConnectedModel,
  type ConnectionHeaders,
  headersOf,
  type ModelAccess,
  modelAccess,
  type OpenConnection,
} from "./connections-model.ts";
export { openConnection as findConnection, presentConnections } from "./connections-store.ts";
export { actorWithKey } from "./key-store.ts";
export type { ConnectionPort } from "./ports.ts";
export type { Settings } from "./settings-schemas.ts";
export { type Behalf, whyNotPermitted } from "./standing.ts";

/** The settings in force in a scope, from memory. */
export function settingsOf(ctx: { readonly facts: FactsReader; readonly scope: Scope }): Settings {
  return ctx.facts.get(settingsFacts).of(ctx.scope);
}

/** Whether approvals are decided as strictly as in production: always in staging and production, and in development if its settings say so. */
export function decidesStrictly(ctx: { readonly facts: FactsReader; readonly scope: Scope }): boolean {
  return settingsOf(ctx).approvals.strict;
}
