import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import { keyFacts } from "./facts.ts";
import * as people from "./lists/people.ts";
import { issueKey } from "./operations/issue-key.ts";
import { listKeys } from "./operations/list-keys.ts";
import { revokeKey } from "./operations/revoke-key.ts";
import { whoami } from "./operations/whoami.ts";

export { KeyDirectory, keyFacts, lookUpKey } from "./facts.ts";
export { KeyUse } from "./key-use.ts";
export { issueKey } from "./operations/issue-key.ts";

export const operations: readonly Operation[] = [listKeys, issueKey, revokeKey, whoami, ...people.operations];
export const facts: readonly FactSet<unknown>[] = [keyFacts, ...people.facts];
export const sweeps: readonly Sweep[] = [...people.sweeps];
