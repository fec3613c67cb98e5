import type { WriteContext } from "../../../kernel/context.ts";
import { killSwitchEngagedEvent } from "./events.ts";
import { killSwitchFacts } from "./facts.ts";
import { insertKillSwitch } from "./store.ts";

/** What another slice stops: by name, in the environment of the call. */
export interface InsideStop {
  readonly kind: "agent" | "workflow" | "tool";
  readonly target: string;
  /** Why; whoever is refused is told. */
  readonly reason: string;
  /** Who decided it, where that is not the caller. */
  readonly by: string;
}

/**
 * Stops something as whoever engages a kill switch of mode `stop` that one person may release. Returns its id, or that of one in force which stops the same.
 * The operation declares that it emits `killSwitchEngagedEvent`.
 */
export async function engageInside(ctx: WriteContext, { kind, target, reason, by }: InsideStop): Promise<string> {
  const stop = { id: ctx.newId("ksw"), kind, target, mode: "stop", reason, critical: false } as const;
  const known = await insertKillSwitch(ctx, stop, by);
  if (known) return known.twin;
  ctx.touch(killSwitchFacts);
  const { id: kill_switch_id, ...told } = stop;
  ctx.emit(killSwitchEngagedEvent, { kill_switch_id, ...told, by });
  return kill_switch_id;
}
