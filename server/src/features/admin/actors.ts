import { first, select, sql } from "../../db/scoped.ts";
import { type Actor, type ActorCredential, type Naming, resolvedAs, type StoredActor } from "../../kernel/actor.ts";
import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Role, Scope } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { keyFacts } from "./facts.ts";
import { deadSince } from "./key-sql.ts";

/** An actor that may go on, or why it may not: a sentence without its full stop. */
export type Resolved =
  | { readonly actor: Actor; readonly stopped?: undefined }
  | { readonly actor?: undefined; readonly stopped: string };

/** What a look needs: a call, or a machine with a scope. */
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

/** The credential as it stands now, with the key that took the place of its own, or why nobody acts by it any more. */
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
