import type { Reader } from "../../kernel/db.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import { pausesOfCalls } from "../governance/public.ts";
import { heldBy, runHold } from "./holds.ts";
import { findWaiting, isRunByOneOf, mayCallOneOf } from "./lease-store.ts";

/** Whether a task waits for a worker, and nothing keeps it waiting: no stop, no pause, neither of it nor of a tool or model that it needs. */
export async function isReady(
  { db, facts }: { db: Reader; facts: FactsReader },
  scope: Scope,
  task: string,
  priority: number | undefined,
): Promise<boolean> {
  const waiting = await findWaiting(db, scope, task, priority);
  if (!waiting || runHold(heldBy({ facts, scope }, waiting, null)) !== "go") return false;
  const paused = pausesOfCalls({ facts, scope });
  const named = (wanted: string): string[] =>
    paused.flatMap(({ kind, target }) => (kind === wanted && target !== null ? [target] : []));
  const [tools, models] = [named("tool"), named("model")];
  if (tools.length > 0 && (await mayCallOneOf(db, scope, waiting, tools))) return false;
  return models.length === 0 || !(await isRunByOneOf(db, scope, waiting, models));
}
