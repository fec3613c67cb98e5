import { first, select, sql } from "../../../db/scoped.ts";
import {
  type Actor,
  type ActorCredential,
  actorNamedBy,
  type Naming,
  resolvedAs,
  type StoredActor,
} from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type Role, roles, type Scope } from "../../../kernel/principal.ts";
import { roleGrants, roleIncludes } from "../../../kernel/role-permissions.ts";
import { keyFacts } from "../keys/facts.ts";
import { deadSince } from "../keys/sql.ts";

/** An actor that may go on, or why it may not: a sentence without its full stop. */
export type Resolved =
  | { readonly actor: Actor; readonly stopped?: undefined }
  | { readonly actor?: undefined; readonly stopped: string };

export interface ActorReading {
  readonly scope: Scope;
  readonly db: Statements;
  readonly now: number;
}

/**
 * Whether what was stored may act now: its owner is a member whose role has the permission, and the key by which it acts, or one that took its place, was
 * not revoked. The same holds for whoever named an account. An expired key ends nothing, and its bounds stay. From the database, since what was withdrawn a
 * moment ago counts. `agents`: those that it would make act or tell of; null: all.
 */
export async function resolveActor(
  ctx: ActorReading,
  stored: StoredActor,
  permission: string,
  agents: readonly string[] | null = [],
): Promise<Resolved> {
  const { credential, bounds, owner } = stored;
  if ("system" in credential && owner.startsWith("system:")) return { actor: resolvedAs(stored, credential) };
  const beyond = beyondBounds(bounds, "the credential that set it up", permission, agents);
  if (beyond !== null) return { stopped: beyond };
  const found = await presentCredential(ctx, credential, permission, agents);
  if ("stopped" in found) return found;
  const stopped = "key" in credential ? null : await whyMemberMayNot(ctx, owner, permission);
  return stopped === null ? { actor: resolvedAs(stored, found.credential) } : { stopped };
}

type Stopped = { readonly stopped: string };

/** The credential as of now, with the key that replaced its own, or why nobody may act by it. */
async function presentCredential(
  ctx: ActorReading,
  credential: ActorCredential,
  permission: string,
  agents: readonly string[] | null,
): Promise<{ readonly credential: ActorCredential } | Stopped> {
  if ("named" in credential) return presentNaming(ctx, credential, permission, agents);
  if (!("key" in credential)) return { credential };
  const found = await keyInPlace(ctx, credential.key, permission, agents);
  return "stopped" in found ? found : { credential: found };
}

/** Nobody names an account that may do more than they may themselves, and that holds for as long as it acts. */
async function presentNaming(
  ctx: ActorReading,
  naming: Naming,
  permission: string,
  agents: readonly string[] | null,
): Promise<{ readonly credential: Naming } | Stopped> {
  const { named, by = null } = naming;
  const beyond = (why: string): Stopped => ({ stopped: `whoever named its account may no longer do so: ${why}` });
  if (by !== null) {
    const found = await keyInPlace(ctx, by, permission, agents);
    return "stopped" in found ? beyond(found.stopped) : { credential: { named, by: found.key } };
  }
  const why = named.startsWith("system:") ? null : await whyMemberMayNot(ctx, named, permission);
  return why === null ? { credential: naming } : beyond(why);
}

interface Bounds {
  readonly role: Role | null;
  readonly scopes: readonly string[] | null;
  readonly agents: readonly string[] | null;
}

function beyondBounds(
  bounds: Bounds,
  name: string,
  permission: string,
  agents: readonly string[] | null,
): string | null {
  const { role, scopes, agents: own } = bounds;
  if (role !== null && !roleGrants(role, permission))
    return `${name} has the role ${role}, which does not include ${permission}`;
  if (scopes !== null && !scopes.includes(permission)) return `${name} is narrowed to scopes without ${permission}`;
  if (own !== null && !agents?.every((agent) => own.includes(agent)))
    return `${name} is limited to the agents ${own.join(", ")}`;
  return null;
}

async function whyMemberMayNot(ctx: ActorReading, id: string, permission: string): Promise<string | null> {
  const { environment } = ctx.scope;
  const member = select(ctx, "members", "m")
    .select(["m.name", "m.removed_at", sql<Role | null>`m.roles ->> ${environment}::text`.as("role")])
    .where("m.id", "=", id);
  const row = await first(ctx, member);
  if (!row) return `${id} is no member of this organization`;
  const named = `${row.name} (${id})`;
  if (row.removed_at !== null) return `${named} was removed from the organization`;
  if (row.role === null) return `${named} has no role in ${environment}`;
  if (roleGrants(row.role, permission)) return null;
  return `${named} is ${row.role} in ${environment}, which does not include ${permission}`;
}

interface KeyInLine extends Bounds {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly dead: boolean;
}

/** Keys replaced one after another; more than anybody rotates within the life of a key. */
const longestLine = 100;

/** The first key of a line of replacements that was not revoked. */
async function keyInPlace(
  ctx: ActorReading,
  keyId: string,
  permission: string,
  agents: readonly string[] | null,
): Promise<{ readonly key: string } | Stopped> {
  const { organization, environment } = ctx.scope;
  const line = await ctx.db.query<KeyInLine>(
    `with recursive line as (
       select k.*, 1 as place from keys k where k.organization = $1 and k.environment = $2 and k.id = $3
       union all
       select k.*, l.place + 1 from line l join keys k on k.organization = $1 and k.environment = $2 and k.id = l.replaced_by where l.place < ${longestLine})
     select k.id, k.name, k.role, k.scopes, k.agents, coalesce(${deadSince} <= $4, false) as dead
     from line k join members m on m.organization = k.organization and m.id = k.member_id order by k.place`,
    [organization, environment, keyId, new Date(ctx.now)],
  );
  const [own] = line;
  if (!own) return { stopped: `the key ${keyId} no longer exists` };
  const inPlace = line.find(({ dead }) => !dead);
  if (!inPlace)
    return { stopped: `the key ${own.name} (${own.id}) was revoked, or its owner was removed or lost their role` };
  const stopped = beyondBounds(inPlace, `the key ${inPlace.name} (${inPlace.id})`, permission, agents);
  return stopped === null ? { key: inPlace.id } : { stopped };
}

/**
 * Whether memory says that an owner and their key may go on; false: it does not know, so that `resolveActor` looks. For the hot path, where what was
 * withdrawn within the last second may be missed, as everywhere in the pipeline.
 */
export function surelyMayGoOn(
  { facts, scope, now }: Pick<CallContext, "facts" | "scope" | "now">,
  owner: string,
  keyId: string | null,
  permission: string,
  agent: string,
): boolean {
  if (owner.startsWith("system:")) return true;
  const directory = facts.get(keyFacts);
  if (keyId === null) {
    const role = directory.roleOf(scope, owner);
    return role !== undefined && roleGrants(role, permission);
  }
  const key = directory.byId(keyId);
  if (!key || (key.revokedAt !== null && key.revokedAt <= now)) return false;
  const { role, scopes, agents } = key.principal;
  return beyondBounds({ role, scopes, agents }, "", permission, [agent]) === null;
}

/**
 * The service account that a caller names to act in its own right, such as for a schedule, or what is wrong with it: it has a role in the environment, and may do
 * no more there than the caller. The caller stays accountable for what it does.
 */
export async function accountNamed(ctx: WriteContext, name: string, pointer: string): Promise<Actor | Fault> {
  const fault = (code: string, detail: string): Fault => ({ pointer, code, detail });
  const { environment } = ctx.scope;
  const accounts = select(ctx, "members", "m").select(["m.id", "m.roles"]).where("m.removed_at", "is", null);
  const found = await first(ctx, accounts.where("m.kind", "=", "service_account").where("m.name", "=", name));
  const role = found && (found.roles as Readonly<Record<string, Role | undefined>>)[environment];
  if (!found || role === undefined)
    return fault("unknown_account", `names no service account with a role in ${environment}: ${name}`);
  const { role: own, kind } = ctx.principal;
  if (kind !== "system" && (own === null || !roleIncludes(own, role)))
    return fault("exceeds_caller", `names ${name}, which is ${role} here and may do more than you`);
  return actorNamedBy(ctx, { id: found.id, role });
}

// For machines that look at many rows at once. `row`, neither `k` nor `m`, has the columns organization, environment and actor.

const ofKey = (row: string): string =>
  `k.organization = ${row}.organization and k.environment = ${row}.environment and k.id = ${row}.actor #>> '{credential,key}'`;
const ofOwner = (row: string): string =>
  `m.organization = ${row}.organization and m.id = ${row}.actor ->> 'owner' and m.removed_at is null`;

/** SQL: whether the actor of a row goes on without a closer look; false: `whyStopped` decides. `now` is an SQL expression. */
export function surelyMayGoOnSql(row: string, permission: string, now: string): string {
  const granting = `array[${roles.filter((role) => roleGrants(role, permission)).map((role) => `'${role}'`)}]`;
  return `coalesce(case
    when ${row}.actor -> 'credential' ? 'key' then exists (
      select from keys k join members m on m.organization = k.organization and m.id = k.member_id where ${ofKey(row)}
        and coalesce(${deadSince} > ${now}, true) and k.role = any (${granting}) and (k.scopes is null or '${permission}' = any (k.scopes)))
    when ${row}.actor -> 'credential' ? 'named' then false
    when ${row}.actor -> 'credential' ? 'system' and ${row}.actor ->> 'owner' like 'system:%' then true
    else exists (select from members m where ${ofOwner(row)} and m.roles ->> ${row}.environment = any (${granting})) end, false)`;
}

/** SQL: when the key by which the actor of a row acts ends by revocation; null: it does not, or it acts by none. */
export const keyEnd = (row: string): string => `(select k.revoked_at from keys k where ${ofKey(row)})`;
