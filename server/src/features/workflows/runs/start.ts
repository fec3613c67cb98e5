import { ExpressionFault, evaluate, type Scope, scopeOf, smallBudget } from "@aos/workflow";
import { first, insert, select } from "../../../db/scoped.ts";
import { type Actor, type Decider, keyOfActor, storable, storableDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { wakeRun } from "../../tasks/public.ts";
import { runAlreadyOpen } from "../errors.ts";
import { runStarted } from "../events.ts";
import type { RunnableVersion } from "../versions/live.ts";
import { makeRoom } from "./concurrency.ts";
import type { RunRow } from "./rules.ts";

export interface Starting {
  readonly version: Pick<RunnableVersion, "workflow" | "number" | "id" | "plan">;
  /** Valid by the version's schema. */
  readonly input: unknown;
  readonly trigger: "manual" | "schedule" | "event" | "hook" | "workflow" | "mission" | "retry";
  readonly triggerId?: string | null;
  /** The body of the event that triggered it. */
  readonly event?: unknown;
  /** The task that the event is about, if it is about one. */
  readonly causeTask?: string | null;
  /** Who decided what the event says, and so the input made of it. */
  readonly eventDeciders?: readonly Decider[];
  /** Who else decided the input. */
  readonly inputDeciders?: readonly Decider[];
  /** The business key, if the definition computes none. */
  readonly key?: string | null;
  readonly labels?: readonly string[];
  readonly parent?: { readonly run: string; readonly step: string } | null;
  readonly mission?: string | null;
}

/**
 * Starts a run in the name of an actor, in the call's transaction: every trigger, mission and sub-workflow comes through here. The operation `emits` `workflow.run.started`. Refuses where
 * a run with its business key is open, and where its concurrency says so.
 */
export async function startRun(ctx: WriteContext, actor: Actor, starting: Starting): Promise<RunRow> {
  const { version } = starting;
  const id = ctx.newId("wfr", ctx.now);
  const { key, concurrency } = keysOf(ctx, id, starting);
  await makeRoom(ctx, version.plan, { workflow: version.workflow, key: concurrency });
  const row = {
    id,
    workflow: version.workflow,
    version_number: version.number,
    version_id: version.id,
    status: "queued" as const,
    input: JSON.stringify(starting.input),
    trigger: starting.trigger,
    event: starting.event === undefined ? null : JSON.stringify(starting.event),
    trigger_id: starting.triggerId ?? null,
    cause_task: starting.causeTask ?? null,
    ...deciderColumns(starting),
    business_key: key,
    concurrency_key: concurrency,
    parent_run: starting.parent?.run ?? null,
    parent_step: starting.parent?.step ?? null,
    mission: starting.mission ?? null,
    principal: actor.owner,
    key_id: keyOfActor(actor),
    actor: storable(actor),
    audit_ref: ctx.auditRef,
    labels: [...(starting.labels ?? [])],
    created_at: new Date(ctx.now),
    updated_at: new Date(ctx.now),
    traceparent: ctx.traceparent,
  };
  // Two starts with one business key: the index admits one.
  const made = await first(
    ctx,
    insert(ctx, "workflow_runs", row)
      .onConflict((on) => on.doNothing())
      .returningAll(),
  );
  if (!made) throw await openAlready(ctx, version.workflow, key as string);
  ctx.emit(runStarted, { run_id: id, workflow: version.workflow, version: version.number, status: "queued" });
  ctx.enqueue(wakeRun(ctx.scope, id));
  return made;
}

function deciderColumns({ eventDeciders = [], inputDeciders = [] }: Starting) {
  return {
    event_deciders: storableDeciders(eventDeciders),
    input_deciders: storableDeciders(unite(inputDeciders, eventDeciders)),
  };
}

export async function openAlready(ctx: WriteContext, workflow: string, key: string): Promise<Error> {
  const open = select(ctx, "workflow_runs", "r")
    .select("r.id")
    .where("r.workflow", "=", workflow)
    .where("r.business_key", "=", key)
    .where("r.finished_at", "is", null);
  const run = await first(ctx, open);
  return refuse(runAlreadyOpen, `The run ${run?.id ?? ""} of ${workflow} with the key ${key} is not over.`, {
    members: { run_id: run?.id ?? null },
  });
}

function keysOf(
  ctx: WriteContext,
  id: string,
  { version, input, event, trigger, key }: Starting,
): { key: string | null; concurrency: string | null } {
  const { definition } = version.plan;
  const started_at = new Date(ctx.now).toISOString();
  const run = { id, workflow: version.workflow, version: version.number, trigger, started_at };
  const given = { input, run, ...(event !== undefined && { event }) };
  const scope = scopeOf(version.plan, given, {}, ctx.now, smallBudget());
  return {
    key: definition.key === undefined ? (key ?? null) : keyOf("key", definition.key, scope),
    concurrency: definition.concurrency ? keyOf("concurrency.key", definition.concurrency.key, scope) : null,
  };
}

const longestKey = 200;

function keyOf(name: string, source: string, scope: Scope): string {
  const faulty = (why: string): Error =>
    refuse(invalidBody, `/input: the workflow's ${name} (${source}) came to nothing with it: ${why}`, {
      errors: [{ pointer: "/input", code: "no_key", detail: `the workflow's ${name} came to nothing with it: ${why}` }],
    });
  try {
    const value = evaluate(source, scope);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (value === null || text === "" || text.length > longestKey)
      throw faulty(`it takes a value of 1 to ${longestKey} characters.`);
    return text;
  } catch (error) {
    if (error instanceof ExpressionFault) throw faulty(error.message);
    throw error;
  }
}
