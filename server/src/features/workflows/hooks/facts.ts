import type { Row } from "../../../db/scoped.ts";
import { openSecret } from "../../../db/webhook-secrets.ts";
import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";

/** What the secrets of a hook are sealed for. */
export const sealedAs = (name: string): string => `hook:${name}`;

export interface KnownHook {
  readonly scope: Scope;
  readonly secrets: readonly KnownSecret[];
}

interface KnownSecret {
  readonly sealed: Buffer;
  readonly until: number;
  readonly deciders: readonly Decider[];
}

/** The hooks of all environments by name: only the secret says which one a call belongs to. */
export const hookFacts = defineFacts<ReadonlyMap<string, readonly KnownHook[]>>({
  topic: "hooks",
  async load(db) {
    const rows = await db.query<Row<"workflow_hooks"> & { organization: string; environment: Environment }>(
      "select organization, environment, name, secret, previous_secrets, previous_untils, secret_deciders, previous_deciders from workflow_hooks",
    );
    const hooks = rows.map((row) => ({
      name: row.name,
      scope: { organization: row.organization, environment: row.environment },
      secrets: secretsOfRow(row),
    }));
    return Map.groupBy(hooks, ({ name }) => name);
  },
});

function secretsOfRow(row: Row<"workflow_hooks">): KnownSecret[] {
  const deciders = row.previous_deciders as readonly unknown[];
  const earlier = row.previous_secrets.map((sealed, at) => ({
    sealed: sealed as Buffer,
    until: (row.previous_untils[at] as Date).getTime(),
    deciders: storedDeciders(deciders[at] ?? null),
  }));
  const present = {
    sealed: row.secret as Buffer,
    until: Number.POSITIVE_INFINITY,
    deciders: storedDeciders(row.secret_deciders),
  };
  return [present, ...earlier];
}

/** Who was shown one of a hook's valid secrets. */
export const knowingOf = ({ secrets }: KnownHook, now: number): Decider[] =>
  unite(...secrets.filter(({ until }) => until > now).map(({ deciders }) => deciders));

/** Everybody accountable for what a hook of the call's environment receives now. */
export function hookDeciders({ facts, scope, now }: CallContext, name: string): Decider[] {
  const isHere = ({ scope: own }: KnownHook): boolean =>
    own.organization === scope.organization && own.environment === scope.environment;
  const known = facts.get(hookFacts).get(name)?.find(isHere);
  return known ? knowingOf(known, now) : [];
}

export const secretsOf = ({ scope, secrets }: KnownHook, name: string, key: Buffer, now: number): Buffer[] =>
  secrets.filter(({ until }) => until > now).map(({ sealed }) => openSecret(key, sealed, scope, sealedAs(name)));
