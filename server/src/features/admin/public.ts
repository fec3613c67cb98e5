import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import { keyFacts } from "./keys/facts.ts";
import type { Settings } from "./settings/schemas.ts";
import { settingsFacts } from "./settings/store.ts";

export {
  type ActorReading,
  accountNamed,
  keyEnd,
  type Resolved,
  resolveActor,
  surelyMayGoOn,
  surelyMayGoOnSql,
} from "./accountability/actors.ts";
export {
  type ConfirmationRow,
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
} from "./accountability/confirmations-store.ts";
export {
  type ConfirmableContent,
  type ConfirmableKind,
  confirmableKinds,
  defineStanding,
  type StandingActor,
  type StandingKind,
  standingKinds,
} from "./accountability/kinds.ts";
export { type AccountablePerson, accountablePersons, membersNamed } from "./accountability/persons.ts";
export {
  automationStopped,
  automationTakenOver,
  stop,
  stoppedText,
  tellStopped,
  whyStopped,
} from "./accountability/stopped.ts";
export {
  confirmableConnection,
  connectionDeciders,
  connectionFacts,
  connectionsChangedSince,
} from "./connections/facts.ts";
export {
  type ConnectedModel,
  type ConnectionHeaders,
  headersOf,
  type ModelAccess,
  modelAccess,
  type OpenConnection,
} from "./connections/rules.ts";
export {
  type ConnectionTestResult,
  connectionTests,
  openConnection as findConnection,
  presentConnections,
} from "./connections/store.ts";
export { keyDeciders } from "./keys/store.ts";
export { canSignInPersonally, isAnybodyLeft } from "./members/store.ts";
export { type ConnectionPort, connectionPort, signInPort, teamUses, usedBy } from "./ports.ts";
export { retentionSweep } from "./settings/retention.ts";
export { listRuleChanges, noteRuleChange, type RuleChange } from "./settings/rule-changes.ts";
export type { Settings } from "./settings/schemas.ts";
export { type KnownTeam, teamFacts } from "./teams/facts.ts";
export { afterOpenSeconds, isOpenAt, opensAt } from "./teams/hours.ts";
export { type SavedReply, teamNamePattern } from "./teams/schemas.ts";
export { membersOf } from "./teams/store.ts";

export function settingsOf(ctx: { readonly facts: FactsReader; readonly scope: Scope }): Settings {
  return ctx.facts.get(settingsFacts).of(ctx.scope);
}

/** A member's role and teams in the environment, from memory; without a role: no member, or none here. */
export function memberPlace({ facts, scope }: { readonly facts: FactsReader; readonly scope: Scope }, id: string) {
  const members = facts.get(keyFacts);
  return { id, role: members.roleOf(scope, id), teams: members.teamsOf(scope, id) };
}

/** Whether approvals are decided as strictly as in production: always in staging and production, and in development if its settings say so. */
export function decidesStrictly(ctx: { readonly facts: FactsReader; readonly scope: Scope }): boolean {
  return settingsOf(ctx).approvals.strict;
}
