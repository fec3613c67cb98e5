import type { Trigger } from "@aos/workflow";
import { first, select } from "../../../db/scoped.ts";
import { type Actor, actorOfCall } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { permissionToRead } from "../../../kernel/event-filter.ts";
import type { Role } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { accountNamed } from "../../admin/public.ts";
import { memberRows } from "../../admin/shared-rows.ts";

/**
 * In whose name a trigger's runs are: of the service account that it names, else of the caller, who gives it no more than they may themselves. Returns what is wrong
 * where that is not possible.
 */
export async function actorFor(ctx: WriteContext, definition: Trigger, pointer: string): Promise<Actor | Fault> {
  const { as: account } = definition;
  const beyond = beyondKey(ctx, definition);
  if (beyond !== undefined) return { pointer, code: "exceeds_caller", detail: beyond };
  if (account === undefined) return actorOfCall(ctx);
  return accountNamed(ctx, account, `${pointer}/as`);
}

/** What a trigger would do beyond the scopes of the caller's key: its runs have no key. */
function beyondKey({ principal }: WriteContext, definition: Trigger): string | undefined {
  const { scopes } = principal;
  if (scopes === null || principal.kind === "system") return undefined;
  const reads = "event" in definition ? permissionToRead(definition.event) : null;
  const needed = ["workflows:run", ...(reads === null ? [] : [reads])];
  const missing = needed.find((permission) => !scopes.includes(permission));
  return missing && `takes ${missing}, which the scopes of your key leave out`;
}

/** Somebody's role in the environment now; undefined: none, or they were removed. */
export async function roleOf(ctx: QueryContext, member: string): Promise<Role | undefined> {
  const rows = select(ctx, memberRows, "m").select("m.roles").where("m.id", "=", member);
  const found = await first(ctx, rows.where("m.removed_at", "is", null));
  return found && roleIn(found.roles, ctx.scope.environment);
}

export const mayRun = (role: Role | undefined): boolean => role !== undefined && roleGrants(role, "workflows:run");

const roleIn = (roles: unknown, environment: string): Role | undefined =>
  (roles as Readonly<Record<string, Role | undefined>>)[environment];
