import { all, first, insert, newestFirst, type Row, remove, select } from "../../db/scoped.ts";
import { drawSecret, openSecret } from "../../db/webhook-secrets.ts";
import { type Decider, decidersOf, storedDeciders, unite } from "../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { Looking } from "./plans.ts";
import { hookNamePattern } from "./triggers-schemas.ts";

export type HookRow = Omit<
  Row<"workflow_hooks">,
  "secret" | "previous_secrets" | "secret_deciders" | "previous_deciders" | "organization" | "environment"
>;

/** Hooks that an environment has at most. */
export const mostHooks = 200;
/** How long ids of calls are kept: senders of Standard Webhooks repeat a call for a few days (milliseconds). */
export const callsKeptFor = 7 * 86_400_000;

const columns = ["h.name", "h.description", "h.previous_untils", "h.author", "h.created_at", "h.updated_at"] as const;
const possibleName = new RegExp(hookNamePattern);

export async function findHook(ctx: Looking, name: string): Promise<HookRow | undefined> {
  if (!possibleName.test(name)) return undefined;
  return first(ctx, select(ctx, "workflow_hooks", "h").select(columns).where("h.name", "=", name));
}

/** A page of hooks, by name from the last. */
export const listHooks = (ctx: Looking, page: PageRequest): Promise<HookRow[]> =>
  all(ctx, newestFirst(select(ctx, "workflow_hooks", "h").select(columns), "h.name", page));

/** Secrets of a hook are sealed under its name. */
const sealedAs = (name: string): string => `hook:${name}`;

/** Whoever is shown a secret can send what they like in the hook's name. */
const secretDeciders = (ctx: WriteContext, name: string): string =>
  JSON.stringify(decidersOf(ctx, "secret", `hook:${name}`));

/** Adds a hook of the caller and returns its secret; `taken` where its name is, `full` where there are as many as there may be. */
export async function insertHook(
  ctx: WriteContext,
  { name, description }: { readonly name: string; readonly description: string },
  key: Buffer,
): Promise<{ readonly secret: string } | "taken" | "full"> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`hooks ${organization} ${environment}`]);
  const names = await all(ctx, select(ctx, "workflow_hooks", "h").select("h.name"));
  if (names.some((one) => one.name === name)) return "taken";
  if (names.length >= mostHooks) return "full";
  const { secret, sealed } = drawSecret(key, ctx.scope, sealedAs(name));
  const now = new Date(ctx.now);
  const made = { author: ctx.principal.id, created_at: now, updated_at: now };
  const row = { name, description, secret: sealed, secret_deciders: secretDeciders(ctx, name), ...made };
  await all(ctx, insert(ctx, "workflow_hooks", row));
  return { secret };
}

export async function deleteHook(ctx: WriteContext, name: string): Promise<boolean> {
  const removed = remove(ctx, "workflow_hooks").where("name", "=", name).returning("name");
  return (await first(ctx, removed)) !== undefined;
}

/** The hook, locked until the transaction ends. */
export const lockHook = (ctx: WriteContext, name: string): Promise<HookRow | undefined> =>
  first(ctx, select(ctx, "workflow_hooks", "h").select(columns).where("h.name", "=", name).forUpdate());

/** Replaces the secret and returns the new one. Earlier ones are taken until their overlaps end; with 0 only the new one is (milliseconds). */
export async function replaceHookSecret(
  ctx: WriteContext,
  name: string,
  key: Buffer,
  overlapMs: number,
): Promise<string> {
  const { secret, sealed } = drawSecret(key, ctx.scope, sealedAs(name));
  const end = overlapMs === 0 ? null : new Date(ctx.now + overlapMs);
  await ctx.db.query(
    `update workflow_hooks h set secret = $4, updated_at = $5, secret_deciders = $7,
       previous_secrets = p.secrets, previous_untils = p.untils, previous_deciders = p.deciders
     from (
       select coalesce(array_agg(k.secret order by k.until, k.place), '{}') as secrets, coalesce(array_agg(k.until order by k.until, k.place), '{}') as untils,
         coalesce(jsonb_agg(k.deciders order by k.until, k.place), '[]') as deciders
       from workflow_hooks o cross join lateral (
         select secret, until, coalesce(o.previous_deciders -> (place - 1)::int, '[]') as deciders, place
           from unnest(o.previous_secrets, o.previous_untils) with ordinality as earlier(secret, until, place) where until > $5
         union all select o.secret, $6, coalesce(o.secret_deciders, '[]'), cardinality(o.previous_secrets) + 1) k
       where o.organization = $1 and o.environment = $2 and o.name = $3 and $6::timestamptz is not null) p
     where h.organization = $1 and h.environment = $2 and h.name = $3`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, name, sealed, new Date(ctx.now), end],
      secretDeciders(ctx, name),
    ],
  );
  return secret;
}

export interface KnownHook {
  readonly scope: Scope;
  readonly secrets: readonly KnownSecret[];
}

interface KnownSecret {
  readonly sealed: Buffer;
  readonly until: number;
  /** Who was shown it. */
  readonly deciders: readonly Decider[];
}

/** The hooks of all environments by name, for calls of which only the secret says where they belong. */
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

/** Who was shown one of a hook's secrets that count at a moment. */
export const knowingOf = ({ secrets }: KnownHook, now: number): Decider[] =>
  unite(...secrets.filter(({ until }) => until > now).map(({ deciders }) => deciders));

/** Everybody accountable for what a hook of the call's environment receives now. */
export function hookDeciders({ facts, scope, now }: CallContext, name: string): Decider[] {
  const isHere = ({ scope: own }: KnownHook): boolean =>
    own.organization === scope.organization && own.environment === scope.environment;
  const known = facts.get(hookFacts).get(name)?.find(isHere);
  return known ? knowingOf(known, now) : [];
}

/** The secrets of a hook that count at a moment. */
export const secretsOf = ({ scope, secrets }: KnownHook, name: string, key: Buffer, now: number): Buffer[] =>
  secrets.filter(({ until }) => until > now).map(({ sealed }) => openSecret(key, sealed, scope, sealedAs(name)));

/** Notes the id of a call; the record of the first call where it is a repetition. */
export async function noteCall(ctx: WriteContext, hook: string, webhookId: string): Promise<string | null> {
  const row = { hook, webhook_id: webhookId, audit_ref: ctx.auditRef, at: new Date(ctx.now) };
  const noted = insert(ctx, "workflow_hook_calls", row).onConflict((on) => on.doNothing());
  if (await first(ctx, noted.returning("hook"))) return null;
  const known = select(ctx, "workflow_hook_calls", "c").select("c.audit_ref").where("c.hook", "=", hook);
  return (await first(ctx, known.where("c.webhook_id", "=", webhookId)))?.audit_ref ?? "";
}

/** Forgets calls of hooks that no sender repeats any more. */
export async function clearHookCalls(db: Statements, before: Date, most: number): Promise<void> {
  await db.query(
    `delete from workflow_hook_calls c using (select organization, environment, hook, webhook_id from workflow_hook_calls where at < $1 order by at limit $2) old
     where c.organization = old.organization and c.environment = old.environment and c.hook = old.hook and c.webhook_id = old.webhook_id`,
    [before, most],
  );
}
