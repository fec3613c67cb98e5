import type { Action } from "@aos/workflow";
import { type Decider, storedDeciders } from "../../../../kernel/actor.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import {
  costLimit,
  costReserved,
  expressionFailed,
  expressionTooCostly,
  invalidCall,
  tooDeep,
  workflowNotThere,
} from "../../errors.ts";
import { runStarted } from "../../events.ts";
import type { KnownRun } from "../../runs/cache.ts";
import type { StepRow } from "../../runs/rules.ts";
import { findStepToStart, noteChild, readRun } from "../../runs/store.ts";
import { actionFor } from "../action.ts";
import { checkInput, findCalled, insertChild } from "../children.ts";
import { reserveCost } from "../cost-limit.ts";
import type { StartStep } from "./start-step.ts";

interface Loaded {
  readonly known: KnownRun;
  readonly step: StepRow;
  readonly action: Extract<Action, { kind: "workflow" }>;
  readonly unlooked: readonly Decider[];
}

/** Starts the child run of a step, on behalf of who started the parent. */
export const startChild: InsideOperation<StartStep, { readonly run: string }> = defineInside({
  id: "workflows.startChild",
  summary: "Start the run that a step of a workflow is",
  permission: exempt("a worker of the service itself, for who started the run"),
  load: (ctx, params: StartStep) => loadCall(ctx, params),
  gate: exempt("each call of an agent within it passes its own gate"),
  compliance: exempt("carries out what the workflow says; each call of an agent within it is judged by itself"),
  audit: ({ params, output }) => `run:${output?.run ?? params.run}`,
  emits: [runStarted],
  errors: [
    conflict,
    workflowNotThere,
    invalidCall,
    expressionFailed,
    expressionTooCostly,
    tooDeep,
    costLimit,
    costReserved,
  ],
  async handle(ctx, { params: { item }, loaded: { known, step, action, unlooked } }) {
    const { row, version } = known;
    const called = await findCalled(ctx, version, action);
    checkInput(called, action.input);
    const costLimitUsd = await reserveCost(ctx, row, version.plan, called.plan.limits.costUsd);
    const given = { input: action.input, deciders: storedDeciders(step.deciders), startedBy: unlooked };
    const child = { parent: row, step: step.step, item, version: called, costLimitUsd, ...given };
    const run = await insertChild(ctx, child);
    if (!(await noteChild(ctx, { ...step, item }, run)))
      throw refuse(conflict, "The step has its run already, or is over.");
    ctx.emit(runStarted, { run_id: run, workflow: called.workflow, version: called.number, status: "queued" });
    return { run };
  },
});

async function loadCall(ctx: ReadContext, { run, step: name, attempt, item }: StartStep): Promise<Loaded | undefined> {
  const known = await readRun(ctx, run);
  const found = known && (await findStepToStart(ctx, known, name));
  if (!known || found?.step.attempt !== attempt) return undefined;
  const action = await actionFor(ctx, known, found.step, item);
  return action?.kind === "workflow" ? { known, ...found, action } : undefined;
}
