import type { FactSet } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { keyFacts } from "./facts.ts";
import { issueKey } from "./operations/issue-key.ts";
import { listKeys } from "./operations/list-keys.ts";
import { revokeKey } from "./operations/revoke-key.ts";
import { whoami } from "./operations/whoami.ts";

export { KeyDirectory, keyFacts, lookUpKey } from "./facts.ts";
export { KeyUse } from "./key-use.ts";
export { issueKey } from "./operations/issue-key.ts";

export const operations: readonly Operation[] = [listKeys, issueKey, revokeKey, whoami];
export const facts: readonly FactSet<unknown>[] = [keyFacts];
