import type { Trigger } from "@aos/workflow";
import { type Actor, storedActor, storedDeciders, withConfirmed } from "../../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { parseJson } from "../../../../kernel/stored-json.ts";
import { isConfirmed, resolveActor } from "../../../admin/public.ts";
import {
  concurrencyFull,
  expressionTooCostly,
  runAlreadyOpen,
  triggerNotPermitted,
  workflowNotLive,
} from "../../errors.ts";
import { runStarted } from "../../events.ts";
import { withExpressions } from "../../expression-threads.ts";
import { mapHere, type Resolved } from "../../expression-work.ts";
import { startRun } from "../../runs/start.ts";
import { findLiveVersion, inputFaults, type RunnableVersion } from "../../versions/live.ts";
import { triggerContent } from "../confirmation.ts";
import { taskOfEvent } from "../event-deciders.ts";
import { type FiringAddress, type FiringRow, findFiring, hasOpenRun, takeFiring } from "../firing-store.ts";
import { triggerNames } from "../matching.ts";
import { type TriggerRow, triggers } from "../resource.ts";

export interface FiredTrigger {
  /** Null: no run, because an earlier one is still open. */
  readonly run: string | null;
}

interface Loaded {
  readonly firing: FiringRow;
  readonly trigger: TriggerRow;
  readonly live: RunnableVersion | null;
  /** The input by the schedule, or by `map` from the event. */
  readonly mapped: Resolved<Record<string, unknown>>;
}

/** Starts the run of a firing, as the trigger's account. Each firing starts one run, whichever process tries it. */
export const fireTrigger: InsideOperation<FiringAddress, FiredTrigger> = defineInside({
  id: "workflows.fireTrigger",
  summary: "Start a run for a trigger",
  permission: exempt(
    "the sweeper of the service itself, for the account of the trigger, whose permissions are looked at",
  ),
  load: (ctx, address: FiringAddress) => loadFiring(ctx, address),
  gate: exempt("each step of the run passes the gate of its agent"),
  compliance: governs("workflow.run", (ctx, { loaded }: { loaded: Loaded }) => ({ input: inputOf(ctx, loaded) })),
  audit: ({ params, loaded, output }) =>
    output?.run ? `run:${output.run}` : `workflow:${loaded?.trigger.workflow ?? params.trigger}`,
  emits: [runStarted],
  errors: [
    conflict,
    invalidBody,
    expressionTooCostly,
    workflowNotLive,
    triggerNotPermitted,
    runAlreadyOpen,
    concurrencyFull,
  ],
  handle: (ctx, { loaded, facts }) => fire(ctx, loaded, facts.input),
});

async function loadFiring(ctx: ReadContext, address: FiringAddress): Promise<Loaded | undefined> {
  const firing = await findFiring(ctx, address);
  const trigger = firing && (await triggers.rows.find(ctx, address.trigger));
  if (!firing || !trigger) return undefined;
  const live = (await findLiveVersion(ctx, trigger.workflow))?.live ?? null;
  return { firing, trigger, live, mapped: await mapped(ctx, trigger.definition, firing) };
}

function inputOf(ctx: CallContext, { trigger, live, mapped }: Loaded): Record<string, unknown> {
  if (live === null)
    throw refuse(workflowNotLive, `No version of ${trigger.workflow} is live in ${ctx.scope.environment}.`);
  if ("fault" in mapped)
    throw refuse(
      mapped.fault.code === "expression_too_costly" ? expressionTooCostly : invalidBody,
      `The trigger's map could not be evaluated: ${mapped.fault.source}: ${mapped.fault.message}`,
    );
  const input = mapped.value;
  const [fault] = inputFaults(live.plan, input);
  if (fault)
    throw refuse(
      invalidBody,
      `The workflow does not take what the trigger gives it: ${fault.pointer ?? ""} ${fault.detail}.`,
    );
  return input;
}

async function mapped(
  { scope }: ReadContext,
  definition: Trigger,
  { event, at }: FiringRow,
): Promise<Loaded["mapped"]> {
  if ("schedule" in definition) return { value: { ...definition.input } };
  const mapping = { map: definition.map, names: triggerNames(parseJson(event ?? "null"), at.getTime()) };
  return withExpressions(scope, mapping, mapHere, "mapThere");
}

async function fire(ctx: WriteContext, loaded: Loaded, input: Record<string, unknown>): Promise<FiredTrigger> {
  const { firing, live } = loaded;
  const address = { trigger: firing.trigger_id, occasion: firing.occasion };
  const trigger = await triggers.rows.lock(ctx, address.trigger);
  if (!trigger || !(await takeFiring(ctx, address))) throw refuse(conflict, "Another process has tried this firing.");
  if (trigger.stopped_reason !== null) return { run: null };
  const actor = await actorOfTrigger(ctx, trigger);
  const { definition, kind } = trigger;
  if ("schedule" in definition && definition.overlap !== "allow" && (await hasOpenRun(ctx, trigger.id))) {
    if (definition.overlap === "queue") throw refuse(conflict, "The run before it is not over.");
    return { run: null };
  }
  const run = await startRun(ctx, actor, {
    version: live as RunnableVersion,
    input,
    trigger: kind,
    triggerId: trigger.id,
    ...(firing.event !== null && { event: parseJson(firing.event) }),
    causeTask: kind === "event" ? await taskOfEvent(ctx, Number(firing.occasion)) : null,
    eventDeciders: storedDeciders(firing.deciders),
  });
  const none = { last_error: null, last_error_at: null };
  await triggers.rows.update(ctx, trigger.id, { last_at: firing.at, last_run: run.id, ...none });
  return { run: run.id };
}

/** The trigger's actor, if it may still run workflows, without the deciders of what a second person has confirmed. */
async function actorOfTrigger(ctx: WriteContext, trigger: TriggerRow): Promise<Actor> {
  const { actor, stopped } = await resolveActor(ctx, storedActor(trigger.actor), "workflows:run");
  if (!actor) throw refuse(triggerNotPermitted, `${stopped}.`);
  const content = triggerContent(trigger, actor.persons);
  return (await isConfirmed(ctx, content)) ? withConfirmed(actor, content.object) : actor;
}
