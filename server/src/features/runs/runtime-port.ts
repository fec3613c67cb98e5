import type { Demand } from "../../kernel/budget.ts";
import { type Clock, timestamp } from "../../kernel/clock.ts";
import type { Reader } from "../../kernel/db.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { NewId } from "../../kernel/ids.ts";
import type { RunInside } from "../../kernel/machines.ts";
import { patient } from "../../kernel/patient.ts";
import type { Scope } from "../../kernel/principal.ts";
import {
  agentPaused,
  auditUnavailable,
  conflict,
  gateFailed,
  killSwitchEngaged,
  policyBlocked,
} from "../../kernel/problems.ts";
import type { Seals } from "../../kernel/seals.ts";
import { retryTransient } from "../../kernel/transient.ts";
import type { TrustCase } from "../../kernel/trust/index.ts";
import type { RedactDemand } from "../../kernel/verdict.ts";
import { type Asked, outcomeOptions, outcomeQuestion, stepSeal, triedAgain } from "../tasks/public.ts";
import type { Failure, Task } from "../tasks/schemas.ts";
import type { Found } from "./find-data.ts";
import type { HeldRun } from "./held-run.ts";
import { type HeldWork, heldBy, runHold } from "./holds.ts";
import { addStep, endStepOf } from "./journal.ts";
import { findCause, findHeldLeases, renewLeases } from "./lease-store.ts";
import { limitsOf, runOf, type TaskRun } from "./model.ts";
import { askInput } from "./operations/ask-input.ts";
import { blockTask } from "./operations/block-task.ts";
import { callModel } from "./operations/call-model.ts";
import { callTool, type ToolCalled } from "./operations/call-tool.ts";
import { completeTask } from "./operations/complete-task.ts";
import { endHeldTask } from "./operations/end-held-task.ts";
import { failTask } from "./operations/fail-task.ts";
import { requeueTask } from "./operations/requeue-task.ts";
import { type Started, startTask } from "./operations/start-task.ts";
import { isReady } from "./ready.ts";
import { type Showing, shownEnd, shownFailure, shownInput, shownJournal } from "./redacted.ts";
import { createRedactions } from "./redactions.ts";
import { failureOf, is, keptBy, noConnection } from "./refusals.ts";
import { skillModels } from "./skill-models.ts";
import type { LeaseKey, StepEnding } from "./step-store.ts";

export interface RunnerPortParts {
  /** As `system:worker`. */
  readonly inside: RunInside;
  /** For what is machine-inside: leases and journal. */
  readonly db: Reader;
  readonly facts: FactsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seals: Seals;
  /** Under which what stands behind placeholders is kept. */
  readonly credentialKey: Buffer;
  /** What a connection adds to the requests of tools that name it; null: there is none of that name. */
  readonly credentials: (scope: Scope, connection: string) => Promise<unknown>;
}

/** What calls of the port share. */
interface Shared extends Showing, Pick<RunnerPortParts, "inside" | "db" | "newId" | "credentials"> {
  /** Runs that this process started, by their leases. */
  readonly runs: WeakMap<LeaseKey, HeldRun>;
  /** What of the output of steps that are under way the run gets as placeholders only, by their ids. */
  readonly kept: WeakMap<LeaseKey, Map<string, RedactDemand>>;
}

/** A step as the runtime names it. */
interface StepSpec {
  readonly number: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly input: unknown;
}

interface Using {
  readonly tool: string | null;
  readonly model: string | null;
}

type Output = Readonly<Record<string, unknown>>;
type Predictions = NonNullable<Task["predictions"]>;

const noRuns = (): Pick<Shared, "atStart" | "runs" | "kept"> => ({
  atStart: new WeakMap(),
  runs: new WeakMap(),
  kept: new WeakMap(),
});

/** What the runtime is given of this slice; it fits the port that the runtime declares. */
export function createRunnerPort({
  inside: once,
  db,
  facts,
  newId,
  seals,
  clock,
  credentialKey,
  credentials,
}: RunnerPortParts) {
  const inside = patient(once);
  const redactions = createRedactions(db, credentialKey);
  const shared: Shared = { inside, redactions, seals, db, newId, credentials, ...noRuns() };
  /** What writes in a transaction of its own comes after what the run did before. */
  const late = <A extends unknown[], R>(call: (lease: LeaseKey, ...given: A) => Promise<R>) => {
    return async (lease: LeaseKey, ...given: A): Promise<R> => {
      await writeLate(shared, lease);
      return call(lease, ...given);
    };
  };
  return {
    holdOf: ({ scope }: LeaseKey, run: HeldWork, { tool, model }: Using) => {
      const hold = runHold(heldBy({ facts, scope }, run, null));
      if (hold === "stop" || (tool === null && model === null)) return hold;
      return stricter(
        hold,
        runHold(heldBy({ facts, scope }, run, tool === null ? { model: model as string } : { tool })),
      );
    },
    isReady: (scope: Scope, task: string, priority?: number) => isReady({ db, facts }, scope, task, priority),
    causeOf: ({ scope, task }: LeaseKey) => findCause(db, scope, task),
    start: (lease: LeaseKey) => start(shared, lease),
    ...skillModels(db),
    beginModel: (lease: LeaseKey, step: StepSpec, demand: Demand) => beginModel(shared, lease, step, demand),
    callTool: (lease: LeaseKey, call: ToolCall) => toolResult(shared, lease, call),
    complete: (lease: LeaseKey, output: Output, features: TrustCase = {}, predictions: Predictions | null = null) =>
      complete(shared, lease, { output, features, predictions }),
    fail: late((lease, failure: Failure) => {
      const { scope, task, owner } = lease;
      return held(inside(failTask, scope, { task, owner, failure: redactions.restore(lease, failure) }));
    }),
    endHeld: (lease: LeaseKey, at: Using & { readonly aborted: boolean }) =>
      askedAgain(() => held(inside(endHeldTask, lease.scope, { ...runOfLease(shared, lease), ...at }))),
    block: late(({ scope, task, owner }, failure: Failure) => held(inside(blockTask, scope, { task, owner, failure }))),
    giveBack: late(({ scope, task, owner }, seconds: number = 0) =>
      held(inside(requeueTask, scope, { task, owner, seconds })),
    ),
    journal: late((lease) => retryTransient(() => shownJournal(shared, db, lease))),
    endStep: (lease: LeaseKey, id: string, end: StepEnding) => endStep(shared, lease, id, end),
    refuseStep: late((lease, step: StepSpec, failure: Failure) =>
      addStep(db, lease, { id: newId("stp"), ...step, state: "failed", failure, verdict: "deny" }),
    ),
    ask: late(
      (
        { scope, task, owner },
        step: StepSpec,
        { text, options }: Pick<Asked, "text"> & { readonly options: readonly string[] | null },
      ) => {
        const asked: Asked = {
          step_id: newId("stp"),
          kind: "answer",
          text,
          options: options && [...options],
          asked_at: timestamp(clock.now()),
        };
        return held(inside(askInput, scope, { task, owner, asked, step }));
      },
    ),
    askOutcome: late(
      ({ scope, task, owner }, step: StepSpec & { readonly id: string; readonly failure: Failure | null }) => {
        const text = outcomeQuestion(step.name, step.failure?.detail);
        const asked: Asked = {
          step_id: step.id,
          kind: "outcome",
          text,
          options: [...outcomeOptions],
          asked_at: timestamp(clock.now()),
        };
        return held(inside(askInput, scope, { task, owner, asked, step: null }));
      },
    ),
    held: (leases: readonly LeaseKey[], renew: boolean) =>
      renew ? renewLeases(db, leases) : findHeldLeases(db, leases),
  };
}

interface Completion {
  readonly output: Output;
  readonly features: TrustCase;
  readonly predictions: Predictions | null;
}

/** Ends the task with its result, in which what was asked for stands again where the run had placeholders. */
function complete(shared: Shared, lease: LeaseKey, end: Completion): Promise<boolean> {
  const ended = { ...runOfLease(shared, lease), ...shared.redactions.restore(lease, end) };
  return held(shared.inside(completeTask, lease.scope, ended));
}

/** A run as its calls are told it. */
function runOfLease({ runs }: Shared, lease: LeaseKey): { task: string; owner: string; held?: HeldRun } {
  const held = runs.get(lease);
  return { task: lease.task, owner: lease.owner, ...(held ? { held } : {}) };
}

/** Writes the end of the last step, where that was left to what follows it. Whoever has lost the lease hears it of what follows. */
async function writeLate({ db, runs }: Shared, lease: LeaseKey): Promise<void> {
  const held = runs.get(lease);
  if (!held?.late) return;
  const { id, ...end } = held.late;
  await endStepOf(db, lease, id, end);
  held.late = null;
}

/** The run did something more, and with it everything before was written down. */
function went(
  held: HeldRun | undefined,
  { costUsd = 0, turn = null }: { costUsd?: number; turn?: string | null },
): void {
  if (!held) return;
  held.late = null;
  held.turn = turn;
  held.work.row.cost_usd += costUsd;
}

/** Whether a write that is bound to the lease counted. */
async function held(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (is(error, conflict)) return false;
    throw error;
  }
}

/** Where it is not known whether a write was made that is bound to the lease, it is asked for once more: it counts once. */
async function askedAgain(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (!is(error, auditUnavailable)) throw error;
    return write();
  }
}

type Unclaimed = Extract<Started, { claimed: false }>;
/** A claim as the runtime gets it. */
type Claimed = { readonly claimed: true; readonly run: TaskRun } | Unclaimed;

const stricter = (a: "go" | "give_back", b: ReturnType<typeof runHold>): ReturnType<typeof runHold> =>
  b === "go" ? a : b;

/**
 * Claims the task. A refusal by gate or policies undid the claim; it ends the task in a call of its own. One by a stop or pause leaves it queued, or
 * ends it where the stop does.
 */
async function start(shared: Shared, lease: LeaseKey): Promise<Claimed> {
  const { scope, task, owner } = lease;
  try {
    const started = await shared.inside(startTask, scope, { task, owner });
    return started.claimed ? await prepared(shared, lease, started) : { claimed: false, reason: started.reason };
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    if (is(error, killSwitchEngaged, agentPaused)) return heldStart(shared.inside, scope, task);
    if (!is(error, gateFailed, policyBlocked)) throw error;
    return blockedStart(shared.inside, scope, task, failureOf(error));
  }
}

/** The run as the loop gets it: personal data that policies keep from it stands as placeholders in its input. */
async function prepared(
  { redactions, atStart, runs }: Shared,
  lease: LeaseKey,
  { held, limits, redact, waitedMs }: Extract<Started, { claimed: true }>,
): Promise<Claimed> {
  runs.set(lease, held);
  const run = { ...runOf(held.work, held.resumed, limitsOf(held.work, limits)), waitedMs };
  await redactions.begin(lease, run.resumed || triedAgain(held.work.row)); // a write of an earlier attempt may be reused, with its placeholders
  if (redact === null) return { claimed: true, run };
  atStart.set(lease, redact);
  const redacted = await redactions.redact(lease, redact, run.input);
  if (redacted === null) return { claimed: false, reason: "not_queued" };
  return { claimed: true, run: { ...run, input: redacted.value as Record<string, unknown> } };
}

/** Ends a queued task that a stop or pause ends; one that it lets wait stays as it is. */
async function heldStart(inside: RunInside, scope: Scope, task: string): Promise<Unclaimed> {
  try {
    await inside(endHeldTask, scope, { task, owner: null, tool: null, model: null, aborted: false });
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
  readonly number: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly again?: boolean;
  readonly tainted?: boolean;
}

/** Makes the call with what stands behind the placeholders of its arguments: the tool looks inside, and policies judge what is really asked. */
async function toolResult(
  shared: Shared,
  lease: LeaseKey,
  { number, tool, arguments: shown, again = false, tainted = false }: ToolCall,
) {
  const given = shared.redactions.restore(lease, shown);
  const run = runOfLease(shared, lease);
  try {
    const hides = shared.atStart.has(lease);
    const called = await shared.inside(callTool, lease.scope, {
      ...run,
      number,
      tool,
      arguments: given,
      shown,
      hides,
      again,
      tainted,
    });
    went(run.held, "costUsd" in called ? called : {});
    return await outcomeOf(shared, lease, called, given);
  } catch (error) {
    const kept = keptBy(error);
    if (kept?.kind === "refused" || kept?.kind === "held") {
      const { failure } = kept;
      const step = {
        id: shared.newId("stp"),
        number,
        kind: "tool",
        name: tool,
        input: shown,
        state: "failed",
        failure,
        verdict: "deny",
      } as const;
      await writeLate(shared, lease);
      if (!(await addStep(shared.db, lease, step))) return { kind: "lost" } as const;
    }
    if (kept) return kept;
    throw error;
  }
}

/** Asks whether the model may be asked. `shown`: what of a prompt it may see, with placeholders for what policies keep from it; null: the lease is lost. */
async function beginModel(shared: Shared, lease: LeaseKey, { number, name: model, input }: StepSpec, demand: Demand) {
  const run = runOfLease(shared, lease);
  try {
    const hides = shared.atStart.has(lease);
    const { id, reservation, redact } = await shared.inside(callModel, lease.scope, {
      ...run,
      number,
      model,
      shown: input,
      hides,
      demand,
    });
    went(run.held, { turn: id });
    const shown = async <T>(prompt: T): Promise<T | null> => {
      const redacted = redact && (await shared.redactions.redact(lease, redact, prompt));
      if (redact === null) return prompt;
      return redacted ? (redacted.value as T) : null;
    };
    return { kind: "begun", id, shown, settle: (used: Demand) => reservation?.settle(used) } as const;
  } catch (error) {
    const kept = keptBy(error);
    if (kept) return kept;
    throw error;
  }
}

/** What the loop gets to see: of the record what policies let through. What the service did not do itself, whoever asked does. */
async function outcomeOf(shared: Shared, lease: LeaseKey, called: ToolCalled, given: ToolCall["arguments"]) {
  if (!("edited" in called) || called.edited === null) return resultOf(shared, lease, called, given);
  const edited = await shownInput(shared, lease, called.edited); // first, so that what is found of them is known by its placeholders
  if (edited === null) return { kind: "lost" } as const;
  const outcome = await resultOf(shared, lease, called, called.edited);
  return outcome.kind === "lost" ? outcome : { ...outcome, edited };
}

async function resultOf(shared: Shared, lease: LeaseKey, called: ToolCalled, given: ToolCall["arguments"]) {
  switch (called.kind) {
    case "done":
      return foundOf(called, called.found);
    case "found": {
      keep(shared, lease, called.id, called.redact);
      const { found } = called;
      const end =
        "failure" in found
          ? ({ state: "failed", failure: found.failure } as const)
          : ({ state: "finished", output: found.output } as const);
      const ended = await endStep(shared, lease, called.id, end);
      if (ended === null) return { kind: "lost" } as const;
      return foundOf(called, ended.failure ? { failure: ended.failure } : { output: ended.output });
    }
    case "begun": {
      const { id, connection, costUsd, redact } = called;
      if (redact) keep(shared, lease, id, redact);
      const credentials = connection === null ? null : await shared.credentials(lease.scope, connection);
      if (connection !== null && credentials === null) {
        const failure = noConnection(connection);
        const ended = await endStep(shared, lease, id, { state: "failed", failure });
        return ended
          ? ({ kind: "failed", id, failure, verdict: "allow", costUsd } as const)
          : ({ kind: "lost" } as const);
      }
      return { kind: "begun", id, arguments: given, credentials, costUsd } as const;
    }
    case "waits":
      return called;
    case "sent_back": {
      const said = {
        code: "changes_requested",
        detail: `It was not carried out; people want it otherwise: ${called.note}`,
      };
      const failure = await shownFailure(shared.redactions, lease, [shared.atStart.get(lease)], said);
      return failure ? ({ kind: "sent_back", failure } as const) : ({ kind: "lost" } as const);
    }
  }
}

function foundOf({ id, verdict, costUsd }: { id: string; verdict: string; costUsd: number }, found: Found) {
  if ("failure" in found) return { kind: "failed", id, failure: found.failure, verdict, costUsd } as const;
  return { kind: "output", id, output: found.output, verdict, costUsd } as const;
}

function keep({ kept }: Shared, lease: LeaseKey, id: string, demand: RedactDemand): void {
  const of = kept.get(lease) ?? new Map<string, RedactDemand>();
  kept.set(lease, of.set(id, demand));
}

/** Writes how a step ended, as policies let it through. Answers its output or failure; null where the lease is lost. */
async function endStep(
  shared: Shared,
  lease: LeaseKey,
  id: string,
  given: StepEnding,
): Promise<Pick<StepEnding, "output" | "failure"> | null> {
  const shown = await shownEnd(shared, lease, shared.kept.get(lease)?.get(id), given);
  if (shown === null) return null;
  const { output, failure } = shown;
  const end = { ...shown, seal: stepSeal(shared.seals, lease.scope, lease.task, id, output) };
  const seen = failure ? { failure } : { output };
  const held = shared.runs.get(lease);
  if (held && endsLate(held, id, end)) {
    held.late = { id, ...end };
    return seen;
  }
  if (!(await endStepOf(shared.db, lease, id, end))) return null;
  if (held) held.work.row.cost_usd += end.costUsd ?? 0;
  return seen;
}

/** A turn of the built-in model is free, and taken again it says the same: its end is written with what follows it, in one statement. */
const endsLate = ({ work, turn }: HeldRun, id: string, { state, costUsd = 0 }: StepEnding): boolean =>
  state === "finished" && costUsd === 0 && id === turn && work.definition.model.provider === "builtin";
