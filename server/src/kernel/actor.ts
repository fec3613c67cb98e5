import { type Environment, host, type Principal, type Role, type Scope } from "./principal.ts";

// Who acts, and who decided what they act on: decision 0064 has the rules and lists every way in.

/** What somebody did by which they are accountable for a call. The text completes "<name> …". */
export const parts = {
  owner: "asked for it",
  issuer: "issued the credential that asked for it",
  named: "named the account that acts",
  took_over: "took over the automation",
  input: "gave the input",
  edited: "edited it",
  note: "sent it back with a note",
  answered: "answered a question of its run",
  commented: "wrote a comment that its agent reads",
  signalled: "gave its run a signal",
  secret: "knew the secret of the hook that received it",
  event: "caused the event that started it",
  skipped: "gave the result of a skipped step",
  planned: "decided the plan of its mission",
  wrote: "wrote in its conversation",
  channel: "set up the channel by which it came",
  agent: "changed the agent's instructions, skills or tools",
  trained: "trained the agent's version",
  corrected: "gave, corrected or accepted an example that the agent's version was trained on",
  deployed: "deployed the agent's version",
  workflow: "changed the workflow",
  trigger: "set what starts it",
  schedule: "set its schedule",
  connection: "set up a connection that it uses",
  dataset: "changed a dataset that it was trained on",
  document: "wrote a document that its arguments are taken from",
  connector: "set up the connector, or its connection, that brought a document its arguments are taken from",
  output: "set up the report, alert or webhook",
  unknown: "is named in records from before this was tracked",
} as const;
export type Part = keyof typeof parts;

/** A person accountable for a call, by what they did. */
export interface Decider {
  /** `mbr_…`, or `host`, which stands for nobody in particular. */
  readonly id: string;
  readonly how: Part;
  /** What it was done to, such as `trigger:wtr_…`; null: the call itself. */
  readonly of: string | null;
  /** RFC 3339; null: not known. */
  readonly at: string | null;
}

/** The word of a member who named the account that acts. `by`: the key by which they did; null: none; absent: recorded before keys were. */
export interface Naming {
  readonly named: string;
  readonly by?: string | null;
}

/** By what an actor acts: a key, a session (null: not known which), the word of the member who named its account, or as the service itself. */
export type ActorCredential =
  | { readonly key: string }
  | { readonly session: string | null }
  | Naming
  | { readonly system: string };

/** What an actor may do at most: what its credential allowed when it was made. */
export interface ActorBounds {
  /** Null: none was recorded, or the service itself; then the owner's present role alone counts. */
  readonly role: Role | null;
  readonly scopes: readonly string[] | null;
  readonly agents: readonly string[] | null;
  readonly environment: Environment;
}

interface ActorParts {
  /** Whose role, budget and log it is: `mbr_…` or `system:…`. */
  readonly owner: string;
  readonly credential: ActorCredential;
  readonly bounds: ActorBounds;
  /** Everybody accountable for it, its owner included. */
  readonly persons: readonly Decider[];
}

declare const acting: unique symbol;
declare const atRest: unique symbol;

/**
 * Who acts now, with everybody accountable for it. Made by authentication (`actorOfCall`, `actorTakingOver`, `actorNamedBy`), by `withDeciders`, and by
 * `resolveActor` of `features/admin/actors.ts` alone.
 */
export interface Actor extends ActorParts {
  readonly [acting]: true;
}

/** An actor as it is stored with what acts later. It may not act: `resolveActor` looks whether it still may. */
export interface StoredActor extends ActorParts {
  readonly [atRest]: true;
}

interface Calling {
  readonly principal: Principal;
  readonly scope: Scope;
  readonly now: number;
}

/** The caller, with everybody accountable for their credential. */
export function actorOfCall(ctx: Calling): Actor {
  const { id, kind, role, scopes, agents, keyId, sessionId } = ctx.principal;
  const credential: ActorCredential =
    keyId !== null ? { key: keyId } : sessionId !== undefined ? { session: sessionId } : { system: id };
  const persons = decidersOf(ctx, kind === "system" ? "issuer" : "owner", null);
  return made({ owner: id, credential, bounds: { role, scopes, agents, environment: ctx.scope.environment }, persons });
}

/** The caller as the new owner of what others set up: they ask for what it does from now on, and have decided nothing of it. */
export const actorTakingOver = (ctx: Calling): Actor =>
  made({ ...actorOfCall(ctx), persons: decidersOf(ctx, "took_over", null) });

/** Those of an actor's persons who set up what it does. */
export const settersAmong = (persons: readonly Decider[]): Decider[] =>
  persons.filter(({ how }) => how !== "took_over");

/** Everybody accountable for the caller's credential, as deciders of something: the caller by what they did, who issued the credential with them. */
export function decidersOf(ctx: Calling, how: Part, of: string | null): Decider[] {
  const { kind, id, issuers } = ctx.principal;
  const at = new Date(ctx.now).toISOString();
  const own = kind === "system" ? [] : [{ id, how, of, at }];
  const other = how === "owner" ? "issuer" : how;
  return [...own, ...issuers.filter((one) => one !== id).map((one) => ({ id: one, how: other, of, at }))];
}

/** The actor, for whose call others are accountable too. */
export function withDeciders(actor: Actor, deciders: readonly Decider[]): Actor {
  return deciders.length === 0 ? actor : made({ ...actor, persons: unite(actor.persons, deciders) });
}

/** Deciders of content in force count until a second person has looked at it: rule B of decision 0064. */
const untilConfirmed: ReadonlySet<Part> = new Set([
  "agent",
  "trained",
  "corrected",
  "deployed",
  "workflow",
  "trigger",
  "schedule",
  "connection",
  "dataset",
]);

/** Whether who did this stops counting once a second person has looked at the content. */
export const countsUntilConfirmed = (how: Part): boolean => untilConfirmed.has(how);

/** The actor without those who decided content of this name, which a second person has looked at. */
export const withConfirmed = (actor: Actor, object: string): Actor =>
  made({ ...actor, persons: actor.persons.filter(({ how, of }) => of !== object || !untilConfirmed.has(how)) });

/** Persons who decided content before somebody changed it, as deciders of what has become of it. */
export const asEarlier = (persons: readonly Decider[], how: Part, of: string): Decider[] =>
  persons.map((one) => (one.how === how && one.of === of ? one : { ...one, how, of }));

/** All of several lists, each person once for each thing that they did, as the first list has them. */
export function unite(...lists: readonly (readonly Decider[] | null | undefined)[]): Decider[] {
  const all = new Map<string, Decider>();
  for (const list of lists)
    for (const one of list ?? []) {
      const key = `${one.id} ${one.how} ${one.of ?? ""}`;
      if (!all.has(key)) all.set(key, one);
    }
  return [...all.values()];
}

/** The ids of deciders, each once. */
export const idsOf = (deciders: readonly Decider[]): string[] => [...new Set(deciders.map(({ id }) => id))];

/** Deciders without the host, which is nobody in particular. */
export const personsAmong = (deciders: readonly Decider[]): Decider[] => deciders.filter(({ id }) => id !== host);

/** The actor as JSON, for the row of what acts later. */
export function storable({ owner, credential, bounds, persons }: ActorParts): string {
  return JSON.stringify({ owner, credential, bounds, persons });
}

/** Deciders as JSON; null where there are none. */
export const storableDeciders = (deciders: readonly Decider[]): string | null =>
  deciders.length === 0 ? null : JSON.stringify(deciders);

/** An actor as a `jsonb` column holds it. */
export const storedActor = (column: unknown): StoredActor => column as StoredActor;

/** Everybody accountable for an actor, as a `jsonb` column holds it; nobody where it is null. */
export const storedPersons = (column: unknown): readonly Decider[] => (column as StoredActor | null)?.persons ?? [];

/** Deciders as a `jsonb` column holds them; none where it is null. */
export const storedDeciders = (column: unknown): readonly Decider[] => (column as readonly Decider[] | null) ?? [];

/** The key by which an actor acts; null: another credential. */
export const keyOfActor = ({ credential }: ActorParts): string | null => ("key" in credential ? credential.key : null);

/** An account that the caller named to act in its own right, within what the caller may; the caller is accountable for it. */
export function actorNamedBy(ctx: Calling, account: { readonly id: string; readonly role: Role }): Actor {
  const { scopes, agents, id, keyId } = ctx.principal;
  const bounds = { role: account.role, scopes, agents, environment: ctx.scope.environment };
  const credential = { named: id, by: keyId };
  return made({ owner: account.id, credential, bounds, persons: decidersOf(ctx, "named", null) });
}

/** For `resolveActor` of `features/admin/actors.ts` alone, which has looked whether it may act. */
export const resolvedAs = (stored: StoredActor, credential: ActorCredential): Actor => made({ ...stored, credential });

/** What was done is undone in the name of who had it done, whatever has become of them. */
export const undoingActor = (stored: StoredActor): Actor => made(stored);

/** An actor of the service itself, such as one that retries what it began. It stands for nobody. */
export function systemActor(principal: Principal, environment: Environment): Actor {
  if (principal.kind !== "system") throw new TypeError("only the service itself is a system actor");
  const bounds = { role: null, scopes: null, agents: null, environment };
  return made({ owner: principal.id, credential: { system: principal.id }, bounds, persons: [] });
}

const made = (actor: ActorParts): Actor => Object.freeze(actor) as Actor;
