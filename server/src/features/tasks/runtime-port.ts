import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../kernel/errors.ts";
import type { NewId } from "../../kernel/ids.ts";
import type { RunInside, Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { conflict, gateFailed, overloaded, policyBlocked } from "../../kernel/problems.ts";
import { findHeldLeases, isWaiting, renewLeases } from "./lease-store.ts";
import { blockTask } from "./operations/block-task.ts";
import { callTool, type ToolCalled } from "./operations/call-tool.ts";
import { completeTask } from "./operations/complete-task.ts";
import { failTask } from "./operations/fail-task.ts";
import { requeueTask } from "./operations/requeue-task.ts";
import { type Started, startTask } from "./operations/start-task.ts";
import type { Failure } from "./run-model.ts";
import { insertStep, type LeaseKey, listRunSteps, updateStepEnd } from "./step-store.ts";

export interface RunnerPortParts {
  /** As `system:worker`. */
  readonly inside: RunInside;
  /** For what is machine-inside: leases and journal. */
  readonly db: Statements;
  readonly newId: NewId;
}

/** What the runtime is given of this slice; it fits the port that the runtime declares. */
export function createRunnerPort({ inside: once, db, newId }: RunnerPortParts) {
  const inside = patient(once);
  const held = async (call: Promise<unknown>): Promise<boolean> => {
    try {
      await call;
      return true;
    } catch (error) {
      if (is(error, conflict)) return false;
      throw error;
    }
  };
  return {
    /** Nothing stops or pauses running tasks. */
    holdOf: () => "go" as const,
    isReady: (scope: Scope, task: string) => isWaiting(db, scope, task),
    start: (lease: LeaseKey) => start(inside, lease),
    callTool: (lease: LeaseKey, call: { tool: string; arguments: Readonly<Record<string, unknown>> }) => toolResult(inside, lease, call),
    complete: ({ scope, task, owner }: LeaseKey, output: Readonly<Record<string, unknown>>) =>
      held(inside(completeTask, scope, { task, owner, output })),
    fail: ({ scope, task, owner }: LeaseKey, failure: Failure) => held(inside(failTask, scope, { task, owner, failure })),
    block: ({ scope, task, owner }: LeaseKey, failure: Failure) => held(inside(blockTask, scope, { task, owner, failure })),
    giveBack: ({ scope, task, owner }: LeaseKey) => held(inside(requeueTask, scope, { task, owner })),
    journal: (lease: LeaseKey) => listRunSteps(db, lease),
    async beginStep(lease: LeaseKey, step: { number: number; kind: "model" | "tool"; name: string; input: unknown }) {
      const id = newId("stp");
      return (await insertStep(db, lease, { id, ...step })) ? id : null;
    },
    endStep: (lease: LeaseKey, id: string, end: Parameters<typeof updateStepEnd>[3]) => updateStepEnd(db, lease, id, end),
    held: (leases: readonly LeaseKey[], renew: boolean) => (renew ? renewLeases(db, leases) : findHeldLeases(db, leases)),
  };
}

/** How long a call is tried again while this process cannot decide, such as after a stall; nothing has happened then. Milliseconds. */
const patience = { pause: 250, tries: 40 };

function patient(inside: RunInside): RunInside {
  return async (operation, scope, input) => {
    for (let tried = 1; ; tried++) {
      try {
        return await inside(operation, scope, input);
      } catch (error) {
        if (!is(error, overloaded) || tried === patience.tries) throw error;
        await delay(patience.pause);
      }
    }
  };
}

const is = (error: unknown, ...types: { code: string }[]): error is Refusal =>
  error instanceof Refusal && types.some((type) => type.code === error.type.code);

const failureOf = ({ type, details }: Refusal): Failure => ({ code: type.code, detail: details.detail });

/** Claims the task. A refusal by gate or policies undid the claim; it ends the task in a call of its own. */
async function start(inside: RunInside, { scope, task, owner }: LeaseKey): Promise<Started> {
  try {
    return await inside(startTask, scope, { task, owner });
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    if (!is(error, gateFailed, policyBlocked)) throw error;
    return blockedStart(inside, scope, task, failureOf(error));
  }
}

async function blockedStart(inside: RunInside, scope: Scope, task: string, failure: Failure): Promise<Started> {
  try {
    await inside(blockTask, scope, { task, owner: null, failure });
    return { claimed: false, reason: "blocked" };
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    throw error;
  }
}

async function toolResult(
  inside: RunInside,
  { scope, task, owner }: LeaseKey,
  call: { tool: string; arguments: Readonly<Record<string, unknown>> },
) {
  try {
    return outcomeOf(await inside(callTool, scope, { task, owner, ...call }));
  } catch (error) {
    if (is(error, conflict)) return { kind: "lost" } as const;
    if (is(error, policyBlocked)) return { kind: "refused", failure: failureOf(error) } as const;
    throw error;
  }
}

function outcomeOf({ record, asked, verdict }: ToolCalled) {
  if (record) return { kind: "output", output: record, verdict } as const;
  const failure: Failure = { code: "record_not_found", detail: `The knowledge base ${asked.base} has no record ${asked.id}.` };
  return { kind: "failed", failure, verdict } as const;
}
