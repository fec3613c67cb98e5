import { first, select } from "../../db/scoped.ts";
import { type Actor, actorNamedBy } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { Role } from "../../kernel/principal.ts";
import { roleIncludes } from "../../kernel/role-permissions.ts";

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
