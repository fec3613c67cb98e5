import { isDeepStrictEqual } from "node:util";
import type { Trigger, WorkflowDefinition } from "@aos/workflow";
import { withDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { nextTime, type Schedule, scheduleFaults } from "../../../kernel/schedule.ts";
import { noteLook } from "../../admin/public.ts";
import { triggerNotPossible } from "../errors.ts";
import { actorFor } from "./actor.ts";
import { earlierDeciders, triggerContent } from "./confirmation.ts";
import type { TriggerRow } from "./resource.ts";
import { changeTrigger, insertTrigger, kindOf, lockTriggers, mostTriggers, removeTriggers } from "./store.ts";

export { triggerNotPossible } from "../errors.ts";

/**
 * What whoever releases a version has looked at: all of it, as a second person; a draft or version that they named, but in part decided, so that only triggers which
 * others decided count; or nothing that they named.
 */
type Look = "version" | "draft" | "nothing";

/** `deciders`: of the release; null if a second person confirmed the version. `isNamed`: the caller named the content. */
export const lookOf = (deciders: string | null, isNamed: boolean): Look =>
  deciders === null ? "version" : isNamed ? "draft" : "nothing";

/**
 * Makes the triggers of a version those of the workflow in the environment of the call; null: no version is live any more. Triggers that were added by
 * themselves stay. `look`: what the caller has looked at. One that the version before had, under the same `id` or with the same words, goes on where it stands. Throws `trigger_not_possible`.
 */
export async function switchTriggers(
  ctx: WriteContext,
  workflow: string,
  version: { readonly definition: WorkflowDefinition } | null,
  look: Look = "nothing",
): Promise<void> {
  const wanted = version?.definition.triggers ?? [];
  const rows = await lockTriggers(ctx, workflow);
  const added = rows.filter(({ origin }) => origin === "added").length;
  if (added + wanted.length > mostTriggers)
    throw refuse(triggerNotPossible, `${workflow} would have more than ${mostTriggers} triggers; remove some first.`);
  const left = rows.filter(({ origin }) => origin === "version");
  for (const [at, definition] of wanted.entries()) {
    const ready = await readyTrigger(ctx, definition, `/triggers/${at}`);
    const known = takeKnown(left, definition);
    if (known) await publishAgain(ctx, known, ready, look);
    else await insertTrigger(ctx, { ...ready, id: ctx.newId("wtr"), workflow, origin: "version" });
  }
  await removeTriggers(
    ctx,
    left.map(({ id }) => id),
  );
}

/** The trigger of the former version with the same definition. */
function takeKnown(left: TriggerRow[], definition: Trigger): TriggerRow | undefined {
  const same = ({ definition: before }: TriggerRow): boolean =>
    isDeepStrictEqual(before, definition) || (definition.id !== undefined && before.id === definition.id);
  const at = left.findIndex(same);
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

/** The publisher becomes its owner; former owners decided what they left in it, unless the publisher confirms it as a second person. */
async function publishAgain(ctx: WriteContext, known: TriggerRow, ready: ReadyTrigger, look: Look): Promise<void> {
  const { id, workflow } = known;
  const isUnchanged = isDeepStrictEqual(known.definition, ready.definition);
  const isSame = known.stopped_reason === null && isUnchanged;
  const next_at = isSame ? known.next_at : ready.next_at;
  const earlier = earlierDeciders(known);
  const content = triggerContent({ id, workflow, definition: ready.definition }, earlier);
  if (look === "version" || (look === "draft" && isUnchanged)) await noteLook(ctx, content, "published");
  await changeTrigger(ctx, id, { ...ready, next_at, actor: withDeciders(ready.actor, earlier) });
}

type ReadyTrigger = Awaited<ReturnType<typeof readyTrigger>>;

/** The actor and due time of a definition. Throws `trigger_not_possible` for an impossible schedule or account. */
export async function readyTrigger(ctx: WriteContext, definition: Trigger, pointer: string) {
  const faults = triggerFaults(definition, pointer, ctx.now);
  if (faults.length > 0) throw impossible(faults);
  const actor = await actorFor(ctx, definition, pointer);
  if ("detail" in actor) throw impossible([actor]);
  const next_at = "schedule" in definition ? nextTime(definition as Schedule, ctx.now) : null;
  return { kind: kindOf(definition), definition, actor, next_at };
}

/** Faults of a trigger, besides its form and its expressions. */
export const triggerFaults = (definition: Trigger, pointer: string, now: number): Fault[] =>
  "schedule" in definition ? scheduleFaults(definition as Schedule, pointer, now) : [];

const impossible = (errors: readonly Fault[]): Error =>
  refuse(triggerNotPossible, `${errors[0]?.pointer}: ${errors[0]?.detail}.`, { errors });
