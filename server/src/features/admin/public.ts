import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Settings } from "./settings-schemas.ts";
import { settingsFacts } from "./settings-store.ts";

export { accountNamed } from "./account.ts";
export { type AccountablePerson, accountablePersons, membersNamed } from "./accountable.ts";
export {
  type ConfirmableContent,
  type ConfirmableKind,
  confirmableKinds,
  defineStanding,
  type StandingActor,
  type StandingKind,
  standingKinds,
} from "./accountable-objects.ts";
export { keyEnd, surelyMayGoOnSql } from "./actor-sql.ts";
export { type ActorReading, type Resolved, resolveActor, surelyMayGoOn } from "./actors.ts";
export {
  type Content,
  countedDeciders,
  type Decided,
  digestOfContent,
  findDecided,
  insertConfirmation,
  isConfirmed,
  listDecided,
  noteLook,
  whyNoSecondPerson,
} from "./confirmations.ts";
export { confirmableConnection } from "./connection-content.ts";
export { connectionDeciders, connectionFacts, connectionsChangedSince } from "./connection-facts.ts";
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
export { keyDeciders } from "./key-store.ts";
export { canSignInPersonally, isAnybodyLeft } from "./left-to-decide.ts";
export { type ConnectionPort, usedBy } from "./ports.ts";
export { retentionSweep } from "./retention.ts";
export { listRuleChanges, noteRuleChange, type RuleChange } from "./rule-changes.ts";
export type { Settings } from "./settings-schemas.ts";
export {
  automationStopped,
  automationTakenOver,
  stop,
  stoppedText,
  tellStopped,
  whyStopped,
} from "./stopped.ts";

/** The settings in force in a scope, from memory. */
export function settingsOf(ctx: { readonly facts: FactsReader; readonly scope: Scope }): Settings {
  return ctx.facts.get(settingsFacts).of(ctx.scope);
}

/** Whether approvals are decided as strictly as in production: always in staging and production, and in development if its settings say so. */
export function decidesStrictly(ctx: { readonly facts: FactsReader; readonly scope: Scope }): boolean {
  return settingsOf(ctx).approvals.strict;
}
