import { storedActor, storedDeciders } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { resolveActor, surelyMayGoOn } from "../admin/public.ts";
import type { TaskRow } from "../tasks/public.ts";

type Acting = Pick<TaskRow, "principal" | "key_id" | "deciders" | "agent" | "conversation" | "run_id">;

/** What the owner of a task needs while it goes on: one of what dispatching it took. */
const permissionsOf = ({ conversation, run_id: run }: Acting): readonly string[] =>
  conversation !== null ? ["chat:write"] : run !== null ? ["workflows:run", "missions:run"] : ["tasks:write"];

/** Whether memory says that a task may go on in the name of who dispatched it; false: look with `whyTaskMayNotGoOn`. */
export const taskSurelyMayGoOn = (ctx: CallContext, row: Acting): boolean =>
  permissionsOf(row).some((permission) => surelyMayGoOn(ctx, row.principal, row.key_id, permission, row.agent));

/** Why a task may not go on in the name of who dispatched it; null: it may. */
export async function whyTaskMayNotGoOn(ctx: ReadContext | WriteContext, row: Acting): Promise<string | null> {
  if (taskSurelyMayGoOn(ctx, row)) return null;
  const { principal: owner, key_id: key, deciders, agent } = row;
  const bounds = { role: null, scopes: null, agents: null, environment: ctx.scope.environment };
  const credential = owner.startsWith("system:") ? { system: owner } : key === null ? { session: null } : { key };
  const stored = storedActor({ owner, credential, bounds, persons: storedDeciders(deciders) });
  let why: string | null = null;
  for (const permission of permissionsOf(row)) {
    const { stopped = null } = await resolveActor(ctx, stored, permission, [agent]);
    if (stopped === null) return null;
    why ??= stopped;
  }
  return why;
}
