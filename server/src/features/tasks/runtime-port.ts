import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../kernel/errors.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { NewId } from "../../kernel/ids.ts";
import type { RunInside, Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { agentPaused, budgetExhausted, conflict, gateFailed, killSwitchEngaged, overloaded, policyBlocked } from "../../kernel/problems.ts";
import { pausesOfCalls } from "../governance/public.ts";
import { heldBy, runHold } from "./holds.ts";
import { findHeldLeases, findWaiting, mayCallOneOf, renewLeases } from "./lease-store.ts";
import { blockTask } from "./operations/block-task.ts";
import { callTool, type ToolCalled } from "./operations/call-tool.ts";
import { completeTask } from "./operations/complete-task.ts";
import { endHeldTask } from "./operations/end-held-task.ts";
import { failTask } from "./operations/fail-task.ts";
import { requeueTask } from "./operations/requeue-task.ts";
import { type Started, startTask } from "./operations/start-task.ts";
import { createRedactions, type Redactions } from "./redactions.ts";
import type { Failure, TaskRun } from "./run-model.ts";
import { insertStep, type LeaseKey, listRunSteps, updateStepEnd } from "./step-store.ts";

export interface RunnerPortParts {
  /** As `system:worker`. */
  readonly inside: RunInside;
  /** For what is machine-inside: leases and journal. */
  readonly db: Statements;
  readonly facts: FactsReader;
  readonly newId: NewId;
  /** Under which what stands behind placeholders is kept. */
  readonly credentialKey: Buffer;
}

/** What calls of the port share. */
interface Shared {
  readonly inside: RunInside;
  readonly redactions: Redactions;
}

/** What the runtime is given of this slice; it fits the port that the runtime declares. */
export function createRunnerPort({ inside: once, db, facts, newId, credentialKey }: RunnerPortParts) {
  const inside = patient(once);
  const redactions = createRedactions(db, credentialKey);
  const shared: Shared = { inside, redactions };
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
    holdOf: ({ scope }: LeaseKey, run: TaskRun, tool: string | null) => {
      const hold = runHold(heldBy({ facts, scope }, run, null));
      return hold === "stop" || tool === null ? hold : stricter(hold, runHold(heldBy({ facts, scope }, run, tool)));
    },
    isReady: (scope: Scope, task: string, priority?: number) => isReady({ db, facts }, scope, task, priority),
    start: (lease: LeaseKey) => start(shared, lease),
    callTool: (lease: LeaseKey, call: ToolCall) => toolResult(shared, lease, call),
    complete: (lease: LeaseKey, output: Readonly<Record<string, unknown>>) =>
      held(inside(completeTask, lease.scope, { task: lease.task, owner: lease.owner, output: redactions.restore(lease, output) })),
    fail: (lease: LeaseKey, failure: Failure) =>
      held(inside(failTask, lease.scope, { task: lease.task, owner: lease.owner, failure: redactions.restore(lease, failure) })),
    endHeld: ({ scope, task, owner }: LeaseKey, at: { readonly tool: string | null; readonly aborted: boolean }) =>
      held(inside(endHeldTask, scope, { task, owner, ...at })),
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

type Unclaimed = Extract<Started, { claimed: false }>;
/** A claim as the runtime gets it. */
type Claimed = { readonly claimed: true; readonly run: TaskRun } | Unclaimed;

const stricter = (a: "go" | "give_back", b: ReturnType<typeof runHold>): ReturnType<typeof runHold> => (b === "go" ? a : b);

/** Whether a task waits for a worker, and nothing keeps it waiting: no stop, no pause, neither of it nor of a tool that its skill may call. */
async function isReady(
  { db, facts }: { db: Statements; facts: FactsReader },
  scope: Scope,
  task: string,
  priority: number | undefined,
): Promise<boolean> {
  const waiting = await findWaiting(db, scope, task, priority);
  if (!waiting || runHold(heldBy({ facts, scope }, waiting, null)) !== "go") return false;
  const tools = pausesOfCalls({ facts, scope }).flatMap(({ kind, target }) => (kind === "tool" && target !== null ? [target] : []));
  return tools.length === 0 || !(await mayCallOneOf(db, scope, waiting, tools));
}

/**
 * Claims the task. A refusal by gate or policies undid the claim; it ends the task in a call of its own. One by a stop or pause leaves it queued, or
 * ends it where the stop does.
 */
async function start(shared: Shared, lease: LeaseKey): Promise<Claimed> {
  const { scope, task, owner } = lease;
  try {
    const started = await shared.inside(startTask, scope, { task, owner });
    return started.claimed ? await prepared(shared, lease, started) : started;
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    if (is(error, killSwitchEngaged, agentPaused)) return heldStart(shared.inside, scope, task);
    if (!is(error, gateFailed, policyBlocked)) throw error;
    return blockedStart(shared.inside, scope, task, failureOf(error));
  }
}

/** The run as the loop gets it: personal data that policies keep from it stands as placeholders in its input. */
async function prepared({ redactions }: Shared, lease: LeaseKey, started: Extract<Started, { claimed: true }>): Promise<Claimed> {
  const { run, redact } = started;
  await redactions.begin(lease, run.resumed);
  if (redact === null) return { claimed: true, run };
  const redacted = await redactions.redact(lease, redact, run.input);
  if (redacted === null) return { claimed: false, reason: "not_queued" };
  return { claimed: true, run: { ...run, input: redacted.value as Record<string, unknown> } };
}

/** Ends a queued task that a stop or pause ends; one that it lets wait stays as it is. */
async function heldStart(inside: RunInside, scope: Scope, task: string): Promise<Unclaimed> {
  try {
    await inside(endHeldTask, scope, { task, owner: null, tool: null, aborted: false });
  } catch (error) {
    if (!is(error, conflict)) throw error;
  }
  return { claimed: false, reason: "held" };
}

async function blockedStart(inside: RunInside, scope: Scope, task: string, failure: Failure): Promise<Unclaimed> {
  try {
    await inside(blockTask, scope, { task, owner: null, failure });
    return { claimed: false, reason: "blocked" };
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    throw error;
  }
}

interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Makes the call with what stands behind the placeholders of its arguments: the tool looks inside, and policies judge what is really asked. */
async function toolResult({ inside, redactions }: Shared, lease: LeaseKey, { tool, arguments: given }: ToolCall) {
  const { scope, task, owner } = lease;
  try {
    const called = await inside(callTool, scope, { task, owner, tool, arguments: redactions.restore(lease, given) });
    return await outcomeOf(redactions, lease, called, Object.values(given)[0]);
  } catch (error) {
    if (is(error, conflict)) return { kind: "lost" } as const;
    if (is(error, policyBlocked, budgetExhausted)) return { kind: "refused", failure: failureOf(error) } as const;
    if (is(error, killSwitchEngaged, agentPaused)) return { kind: "held", hold: holdIn(error), failure: failureOf(error) } as const;
    throw error;
  }
}

/** What a refusal by a stop or pause says of the run. */
function holdIn({ details }: Refusal): "give_back" | "stop" {
  const { stop } = (details.members ?? {}) as { readonly stop?: { readonly mode: string } };
  return stop?.mode === "pause" ? "give_back" : "stop";
}

/** What the loop and the journal get to see: of the record what policies let through, of the argument what the loop had. */
async function outcomeOf(redactions: Redactions, lease: LeaseKey, { record, asked, verdict, costUsd, redact }: ToolCalled, given: unknown) {
  if (!record) {
    const failure: Failure = { code: "record_not_found", detail: `The knowledge base ${asked.base} has no record ${given}.` };
    return { kind: "failed", failure, verdict, costUsd } as const;
  }
  if (redact === null) return { kind: "output", output: record, verdict, costUsd } as const;
  const redacted = await redactions.redact(lease, redact, record);
  return redacted ? ({ kind: "output", output: redacted.value, verdict, costUsd } as const) : ({ kind: "lost" } as const);
}
