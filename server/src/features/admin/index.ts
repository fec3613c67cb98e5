import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { ConnectionPort } from "./connections-port.ts";
import { keyFacts } from "./facts.ts";
import * as connections from "./lists/connections.ts";
import * as people from "./lists/people.ts";
import { issueKey } from "./operations/issue-key.ts";
import { listKeys } from "./operations/list-keys.ts";
import { revokeKey } from "./operations/revoke-key.ts";
import { whoami } from "./operations/whoami.ts";
import * as sessions from "./sessions/index.ts";
import type { SignInPort } from "./sessions/ports.ts";

export { headersOf, type OpenConnection } from "./connections-model.ts";
export type { ConnectionPort, Probe } from "./connections-port.ts";
export { KeyDirectory, keyFacts, lookUpKey } from "./facts.ts";
export { KeyUse } from "./key-use.ts";
export { issueKey } from "./operations/issue-key.ts";
export { sessionFacts } from "./sessions/facts.ts";
export { createSignInOperations } from "./sessions/index.ts";
export { admitAccount } from "./sessions/operations/admit-account.ts";
export { type MadeLink, makeLink } from "./sessions/operations/make-link.ts";
export { createInvitationJobs } from "./sessions/operations/send-invitation.ts";
export type { SignInPort } from "./sessions/ports.ts";
export { createProofs, type Proofs } from "./sessions/proofs.ts";
export { SessionUse } from "./sessions/session-use.ts";
export { createSignInPort } from "./sessions/sign-in-port.ts";
export { lookUpLink } from "./sessions/store.ts";

/** The operations of this slice, over what connections need of the machines. */
export function createOperations(port: ConnectionPort, signIn: SignInPort): readonly Operation[] {
  const others = [...sessions.createOperations(signIn), ...connections.createOperations(port)];
  return [listKeys, issueKey, revokeKey, whoami, ...people.operations, ...others];
}

export const facts: readonly FactSet<unknown>[] = [keyFacts, ...people.facts, ...sessions.facts];
export const sweeps: readonly Sweep[] = [...people.sweeps];
