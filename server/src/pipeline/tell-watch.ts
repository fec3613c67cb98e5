import { anonymous } from "../kernel/principal.ts";
import { verdictsOf } from "./call.ts";
import type { Reached, Settled } from "./stages.ts";

/** Tells the watch, if there is one, of a call that is over. `code`: of the problem; null: the call ended well. */
export function tellWatch(
  reached: Reached,
  status: number,
  { object, events }: Pick<Settled, "object" | "events">,
  code: string | null,
): void {
  const { machine, spec, call, times, auditRef, principal = anonymous, scope = null } = reached;
  if (machine.watch === null) return;
  const { permissions, gate, compliance } = verdictsOf(reached);
  const progress = { auditRef, principal, scope, permissions, gate, compliance };
  machine.watch.ended({ operation: spec.id, door: spec.door, call, progress, times, status, code, object, events });
}
