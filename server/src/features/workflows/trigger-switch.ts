import { isDeepStrictEqual } from "node:util";
import type { Trigger, WorkflowDefinition } from "@aos/workflow";
import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { nextTime, type Schedule, scheduleFaults } from "../../kernel/schedule.ts";
import { triggerNotPossible } from "./trigger-errors.ts";
import { principalFor } from "./trigger-principal.ts";
import {
  changeTrigger,
  insertTrigger,
  kindOf,
  lockTriggers,
  mostTriggers,
  removeTriggers,
  type TriggerRow,
} from "./trigger-store.ts";

/** What {@link switchTriggers} refuses with. */
export { triggerNotPossible } from "./trigger-errors.ts";

/**
 * Makes the triggers of a version those of the workflow in the environment of the call; null: no version is live any more. Triggers that were added by
 * themselves stay. One that the version before had, under the same `id` or with the same words, goes on where it stands. Throws `trigger_not_possible`.
 */
export async function switchTriggers(
  ctx: WriteContext,
  workflow: string,
  version: { readonly definition: WorkflowDefinition } | null,
): Promise<void> {
  const wanted = version?.definition.triggers ?? [];
  const rows = await lockTriggers(ctx, workflow);
  const added = rows.filter(({ origin }) => origin === "added").length;
  if (added + wanted.length > mostTriggers)
    throw refuse(triggerNotPossible, `${workflow} would have more than ${mostTriggers} triggers; remove some first.`);
  const left = rows.filter(({ origin }) => origin === "version");
  for (const [at, definition] of wanted.entries()) {
    const row = { ...(await readyTrigger(ctx, definition, `/triggers/${at}`)), workflow, origin: "version" } as const;
    const known = takeKnown(left, definition);
    if (known === undefined) await insertTrigger(ctx, { ...row, id: ctx.newId("wtr") });
    else
      await changeTrigger(ctx, known.id, isDeepStrictEqual(known.definition, definition) ? keepDue(known, row) : row);
  }
  await removeTriggers(
    ctx,
    left.map(({ id }) => id),
  );
}

/** The trigger of the version before that this one is. */
function takeKnown(left: TriggerRow[], definition: Trigger): TriggerRow | undefined {
  const same = ({ definition: before }: TriggerRow): boolean =>
    isDeepStrictEqual(before, definition) || (definition.id !== undefined && before.id === definition.id);
  const at = left.findIndex(same);
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

const keepDue = <R extends object>({ next_at }: TriggerRow, row: R): R & Pick<TriggerRow, "next_at"> => ({
  ...row,
  next_at,
});

/** What is stored of a definition: who runs it, and when it is due. Throws `trigger_not_possible` where its schedule or its account is not possible. */
export async function readyTrigger(ctx: WriteContext, definition: Trigger, pointer: string) {
  const faults = triggerFaults(definition, pointer, ctx.now);
  if (faults.length > 0) throw impossible(faults);
  const principal = await principalFor(ctx, definition, pointer);
  if (typeof principal !== "string") throw impossible([principal]);
  const next_at = "schedule" in definition ? nextTime(definition as Schedule, ctx.now) : null;
  return { kind: kindOf(definition), definition, principal, next_at };
}

/** What is wrong with a trigger, besides its form and its expressions. */
export const triggerFaults = (definition: Trigger, pointer: string, now: number): Fault[] =>
  "schedule" in definition ? scheduleFaults(definition as Schedule, pointer, now) : [];

const impossible = (errors: readonly Fault[]): Error =>
  refuse(triggerNotPossible, `${errors[0]?.pointer}: ${errors[0]?.detail}.`, { errors });
