import { all, first, insert, newestFirst, type Row, remove, select } from "../../db/scoped.ts";
import { drawSecret, openSecret } from "../../db/webhook-secrets.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defineFacts } from "../../kernel/facts.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { Looking } from "./plans.ts";
import { hookNamePattern } from "./triggers-schemas.ts";

export type HookRow = Omit<Row<"workflow_hooks">, "secret" | "previous_secrets" | "organization" | "environment">;

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
  const row = { name, description, secret: sealed, author: ctx.principal.id, created_at: now, updated_at: now };
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
    `update workflow_hooks h set secret = $4, updated_at = $5, previous_secrets = p.secrets, previous_untils = p.untils
     from (
       select coalesce(array_agg(k.secret order by k.until), '{}') as secrets, coalesce(array_agg(k.until order by k.until), '{}') as untils
       from workflow_hooks o cross join lateral (
         select * from unnest(o.previous_secrets, o.previous_untils) as earlier(secret, until) where until > $5 union all select o.secret, $6) k
       where o.organization = $1 and o.environment = $2 and o.name = $3 and $6::timestamptz is not null) p
     where h.organization = $1 and h.environment = $2 and h.name = $3`,
    [ctx.scope.organization, ctx.scope.environment, name, sealed, new Date(ctx.now), end],
  );
  return secret;
}

interface KnownHook {
  readonly scope: Scope;
  readonly secrets: readonly { readonly sealed: Buffer; readonly until: number }[];
}

/** The hooks of all environments by name, for calls of which only the secret says where they belong. */
export const hookFacts = defineFacts<ReadonlyMap<string, readonly KnownHook[]>>({
  topic: "hooks",
  async load(db) {
    const rows = await db.query<Row<"workflow_hooks"> & { organization: string; environment: Environment }>(
      "select organization, environment, name, secret, previous_secrets, previous_untils from workflow_hooks",
    );
    const hooks = rows.map(({ organization, environment, name, secret, previous_secrets, previous_untils }) => {
      const earlier = previous_secrets.map((sealed, at) => ({
        sealed: sealed as Buffer,
        until: (previous_untils[at] as Date).getTime(),
      }));
      const present = { sealed: secret as Buffer, until: Number.POSITIVE_INFINITY };
      return { name, scope: { organization, environment }, secrets: [present, ...earlier] };
    });
    return Map.groupBy(hooks, ({ name }) => name);
  },
});

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
