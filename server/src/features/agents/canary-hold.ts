import type { CallContext } from "../../kernel/context.ts";
import type { KnownAgent } from "./facts.ts";
import { healthSources } from "./health-port.ts";

/** The kill switch that keeps new tasks from the canary and not from the live version, from memory; null: none. */
export function canaryHold(
  ctx: Pick<CallContext, "facts" | "scope" | "now">,
  { agent, live, canary }: KnownAgent,
): { readonly source: string; readonly detail: string } | null {
  if (!live || !canary) return null;
  const { hold } = healthSources();
  for (const action of ["task.dispatch", "task.run"]) {
    const held = hold(ctx, action, { agent, versionId: canary.version.id });
    if (held && !hold(ctx, action, { agent, versionId: live.id })) return held;
  }
  return null;
}

/** The agent as tasks are drawn: while a kill switch stands against its canary alone, the live version takes them all. */
export const drawable = (ctx: Pick<CallContext, "facts" | "scope" | "now">, agent: KnownAgent): KnownAgent =>
  canaryHold(ctx, agent) ? { ...agent, canary: null } : agent;
