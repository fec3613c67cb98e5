import { storedDeciders, unite } from "../../../kernel/actor.ts";
import type { Demand } from "../../../kernel/budget.ts";
import type { ChatTurn, Telling, Told } from "../../../kernel/chat-turn.ts";
import { timestamp } from "../../../kernel/clock.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import { businessFailure, refusalOf } from "../../../kernel/errors.ts";
import type { HandoffCall } from "../../../kernel/handoff.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import { patient } from "../../../kernel/patient.ts";
import type { Scope } from "../../../kernel/principal.ts";
import {
  agentPaused,
  auditUnavailable,
  conflict,
  gateFailed,
  killSwitchEngaged,
  policyBlocked,
  taskPaused,
} from "../../../kernel/problems.ts";
import { retryTransient } from "../../../kernel/transient.ts";
import type { TrustCase } from "../../../kernel/trust/index.ts";
import { findSkillModel, findSkillModelDigest } from "../../agents/public.ts";
import { commentsForAgent } from "../comments/store.ts";
import { isRepeatable } from "../dispatch/rules.ts";
import { triedAgain } from "../feedback/outcome.ts";
import type { Failure, Task } from "../schemas.ts";
import { actionKey, type Doubt, doubtsBefore, originOf, targetOf } from "../steps/effect-store.ts";
import { createRedactions, shownJournal } from "../steps/redactions.ts";
import { addStep, type LeaseKey, type StepEnding } from "../steps/store.ts";
import { outcomeOptions, outcomeQuestion } from "../tasks/question.ts";
import type { HandedCall } from "../tasks/row.ts";
import { conversationTurns, type OpenTurn } from "./conversation-turns.ts";
import { noteFound } from "./find-data.ts";
import { type HeldRun, type HeldWork, heldBy, runHold } from "./holds.ts";
import { findCause, findHeldLeases, isReady, renewLeases } from "./lease-store.ts";
import { askInput } from "./operations/ask-input.ts";
import { blockTask } from "./operations/block-task.ts";
import { completeTask } from "./operations/complete-task.ts";
import { endHeldTask } from "./operations/end-held-task.ts";
import { failTask } from "./operations/fail-task.ts";
import { handCalls } from "./operations/hand-calls.ts";
import { handOver } from "./operations/hand-over.ts";
import { requeueTask } from "./operations/requeue-task.ts";
import { type Started, startTask } from "./operations/start-task.ts";
import { inputOfRow, type LoadedTask, limitsOf, runOf, type TaskRun } from "./rules.ts";
import {
  beginModel,
  endStep,
  is,
  type RunnerPortParts,
  runOfLease,
  type Shared,
  type StepSpec,
  type ToolCall,
  toolResult,
  writeLate,
} from "./run-steps.ts";

interface Using {
  readonly tool: string | null;
  readonly model: string | null;
}

interface Question {
  readonly text: string;
  readonly options: readonly string[] | null;
}

/** A step with an unknown outcome. */
interface UndecidedStep extends StepSpec {
  readonly id: string;
  readonly failure: Failure | null;
}

/** A write of an earlier attempt with an unknown outcome. */
interface DoubtedStep extends StepSpec {
  readonly effect: string;
  readonly failure: Failure | null;
}

type Output = Readonly<Record<string, unknown>>;
type Predictions = NonNullable<Task["predictions"]>;

const noRuns = (): Pick<Shared, "atStart" | "runs" | "kept" | "turns"> => ({
  turns: new WeakMap(),
  atStart: new WeakMap(),
  runs: new WeakMap(),
  kept: new WeakMap(),
});

/** The journal, with what an earlier worker's run has read. */
async function journalOf(shared: Shared, lease: LeaseKey) {
  const tools = shared.runs.get(lease)?.work.tools ?? [];
  const brought = new Set(tools.flatMap(({ kind, name }) => (kind === "caller" ? [name] : [])));
  const steps = await retryTransient(() => shownJournal(shared, shared.db, lease, brought));
  for (const step of steps ?? []) noteFound(shared.runs.get(lease), step);
  return steps;
}

/** Implements the runtime's port. */
export function createRunnerPort(parts: RunnerPortParts) {
  const { db, facts, newId, seals, clock, credentialKey, credentials } = parts;
  const inside = patient(parts.inside);
  const redactions = createRedactions(db, credentialKey);
  const shared: Shared = { inside, redactions, seals, db, newId, credentials, ...noRuns() };
  const open = (lease: LeaseKey) => (held: HeldRun) => openTurn(parts, shared, lease, held);
  /** A write in a transaction of its own comes after what the run did before. */
  const late = <A extends unknown[], R>(call: (lease: LeaseKey, ...given: A) => Promise<R>) => {
    return async (lease: LeaseKey, ...given: A): Promise<R> => {
      await writeLate(shared, lease);
      return call(lease, ...given);
    };
  };
  return {
    holdOf: ({ scope }: LeaseKey, run: HeldWork, using: Using) => holdOfRun({ facts, scope }, run, using),
    isReady: (scope: Scope, task: string, priority?: number) => isReady({ db, facts }, scope, task, priority),
    causeOf: ({ scope, task }: LeaseKey) => findCause(db, scope, task),
    start: (lease: LeaseKey) => start({ ...shared, open: open(lease) }, lease),
    modelDigest: async (scope: Scope, versionId: string, skill: string) =>
      (await findSkillModelDigest({ scope, db }, versionId, skill)) ?? null,
    skillModel: async (scope: Scope, versionId: string, skill: string) =>
      (await findSkillModel({ scope, db }, versionId, skill)) ?? null,
    beginModel: (lease: LeaseKey, step: StepSpec, demand: Demand) => beginModel(shared, lease, step, demand),
    callTool: (lease: LeaseKey, call: ToolCall) => toolResult(shared, lease, call),
    complete: (lease: LeaseKey, output: Output, features: TrustCase = {}, predictions: Predictions | null = null) =>
      unlessPaused(shared, lease, () => complete(shared, lease, { output, features, predictions })),
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
    journal: late((lease) => journalOf(shared, lease)),
    endStep: (lease: LeaseKey, id: string, end: StepEnding) => endStep(shared, lease, id, end),
    refuseStep: late((lease, step: StepSpec, failure: Failure) =>
      addStep(db, lease, { id: newId("stp"), ...step, state: "failed", failure, verdict: "deny" }),
    ),
    ...questionsOf({ inside, newId, clock, late, paused: (lease, work) => unlessPaused(shared, lease, work) }),
    handOver: late((lease, step: StepSpec, call: HandoffCall) => handConversationOver(shared, lease, step, call)),
    comments: (lease: LeaseKey) => shownComments(shared, lease),
    tell: async (lease: LeaseKey, told: readonly Told[]): Promise<Telling> =>
      shared.turns.get(lease)?.tell(told) ?? { kind: "told", text: null },
    held: (leases: readonly LeaseKey[], renew: boolean) =>
      renew ? renewLeases(db, leases) : findHeldLeases(db, leases),
  };
}

async function handConversationOver({ inside, newId }: Shared, lease: LeaseKey, step: StepSpec, call: HandoffCall) {
  const { scope, task, owner } = lease;
  try {
    return await inside(handOver, scope, { task, owner, step: { ...step, id: newId("stp") }, call });
  } catch (error) {
    if (is(error, conflict)) return { kind: "lost" } as const;
    if (!is(error, policyBlocked)) throw error;
    return { kind: "refused", failure: businessFailure(error) } as const;
  }
}

/**
 * The comments that the agent reads, without personal data that policies redact in its input. Whoever wrote them is among those accountable for every call that the run asks for from now on.
 * Null: the lease is lost.
 */
async function shownComments({ db, runs, redactions, atStart }: Shared, lease: LeaseKey) {
  const { scope, task } = lease;
  const { comments, deciders } = await retryTransient(() => commentsForAgent({ db, scope }, task));
  const row = runs.get(lease)?.work.row;
  if (row) row.deciders = unite(storedDeciders(row.deciders), deciders);
  const hides = atStart.get(lease);
  if (hides === undefined || comments.length === 0) return comments;
  const redacted = await redactions.redact(
    lease,
    hides,
    comments.map(({ text }) => text),
  );
  const texts = redacted && (redacted.value as readonly string[]);
  return texts && comments.map(({ id, at }, index) => ({ id, at, text: texts[index] as string }));
}

/**
 * Does what a paused task does not: then the task goes back to the queue, and does it when it is resumed. False then, as where the lease is lost: the worker has
 * nothing more to do with it.
 */
async function unlessPaused(shared: Shared, lease: LeaseKey, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (!is(error, taskPaused)) throw error;
    await writeLate(shared, lease);
    const { scope, task, owner } = lease;
    await held(shared.inside(requeueTask, scope, { task, owner }));
    return false;
  }
}

type Late = <A extends unknown[], R>(
  call: (lease: LeaseKey, ...given: A) => Promise<R>,
) => (lease: LeaseKey, ...given: A) => Promise<R>;

/** Questions to people, for which a run gives up its lease. */
function questionsOf({
  inside,
  newId,
  clock,
  late,
  paused,
}: Pick<RunnerPortParts, "inside" | "newId" | "clock"> & {
  late: Late;
  paused: (lease: LeaseKey, work: () => Promise<boolean>) => Promise<boolean>;
}) {
  const now = () => ({ asked_at: timestamp(clock.now()) });
  return {
    ask: late((lease, step: StepSpec, { text, options }: Question) => {
      const { scope, task, owner } = lease;
      const given = { text, options: options && [...options], ...now() };
      const asked = { step_id: newId("stp"), kind: "answer" as const, ...given };
      return paused(lease, () => held(inside(askInput, scope, { task, owner, asked, step })));
    }),
    handCalls: late(({ scope, task, owner }, calls: readonly HandedCall[]) =>
      held(inside(handCalls, scope, { task, owner, calls })),
    ),
    askOutcome: late(({ scope, task, owner }, { id, name, failure }: UndecidedStep) =>
      held(inside(askInput, scope, { task, owner, asked: { ...outcomeOf(id, name, failure), ...now() }, step: null })),
    ),
    askDoubt: late(({ scope, task, owner }, { failure, ...step }: DoubtedStep) => {
      const asked = { ...outcomeOf(newId("stp"), step.name, failure), ...now() };
      return held(inside(askInput, scope, { task, owner, asked, step: { ...step, state: "unknown" } }));
    }),
  };
}

const outcomeOf = (step: string, tool: string, failure: Failure | null) => ({
  step_id: step,
  kind: "outcome" as const,
  text: outcomeQuestion(tool, failure?.detail),
  options: [...outcomeOptions],
});

/** Kill switches and pauses of the run, and of the tool or model that it uses. */
function holdOfRun(where: Parameters<typeof heldBy>[0], run: HeldWork, { tool, model }: Using) {
  const hold = runHold(heldBy(where, run, null));
  if (hold === "stop" || (tool === null && model === null)) return hold;
  return stricter(hold, runHold(heldBy(where, run, tool === null ? { model: model as string } : { tool })));
}

interface Completion {
  readonly output: Output;
  readonly features: TrustCase;
  readonly predictions: Predictions | null;
}

/** Ends the task with its result, with the values behind placeholders that the run was given. */
function complete(shared: Shared, lease: LeaseKey, end: Completion): Promise<boolean> {
  const ended = { ...runOfLease(shared, lease), ...shared.redactions.restore(lease, end) };
  return held(shared.inside(completeTask, lease.scope, ended));
}

/** Whether a write under the lease succeeded. */
async function held(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (is(error, conflict)) return false;
    throw error;
  }
}

/** Repeats a write with an unknown outcome: it counts once. */
async function askedAgain(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (refusalOf(error)?.type !== auditUnavailable) throw error;
    return write();
  }
}

type Unclaimed = Extract<Started, { claimed: false }>;
type Claimed =
  | { readonly claimed: true; readonly run: TaskRun & { readonly chat?: ChatTurn; readonly doubt?: DoubtedStep } }
  | Unclaimed;

const stricter = (a: "go" | "give_back", b: ReturnType<typeof runHold>): ReturnType<typeof runHold> =>
  b === "go" ? a : b;

/**
 * Claims the task. A refusal by gate or policies undid the claim; it ends the task in a call of its own. One by a stop or pause leaves it queued, or
 * ends it where the stop does.
 */
async function start(shared: Starting, lease: LeaseKey): Promise<Claimed> {
  const { scope, task, owner } = lease;
  try {
    const started = await shared.inside(startTask, scope, { task, owner });
    return started.claimed ? await prepared(shared, lease, started) : { claimed: false, reason: started.reason };
  } catch (error) {
    if (is(error, conflict)) return { claimed: false, reason: "not_queued" };
    if (is(error, killSwitchEngaged, agentPaused)) return heldStart(shared.inside, scope, task);
    if (!is(error, gateFailed, policyBlocked)) throw error;
    return blockedStart(shared.inside, scope, task, businessFailure(error));
  }
}

/** The run as the loop gets it: with placeholders for personal data that policies redact in its input. */
async function prepared(
  shared: Starting,
  lease: LeaseKey,
  { held, limits, redact, waitedMs }: Extract<Started, { claimed: true }>,
): Promise<Claimed> {
  const { redactions, atStart, runs, open } = shared;
  runs.set(lease, held);
  const doubt = await doubtBefore(shared, lease, held.work);
  const chat = held.work.row.conversation === null ? undefined : (await open(held))?.chat;
  const run = {
    ...runOf(held.work, held.resumed, limitsOf(held.work, limits)),
    waitedMs,
    ...(chat && { chat }),
    ...(doubt && { doubt }),
  };
  await redactions.begin(lease, run.resumed || triedAgain(held.work.row)); // a write of an earlier attempt may be reused, with its placeholders
  if (redact === null) return { claimed: true, run };
  atStart.set(lease, redact);
  // What an image shows cannot be redacted, so that the model does not see it.
  const { images: _unseen, ...seen } = chat ?? {};
  const redacted = await redactions.redact(lease, redact, { input: run.input, ...(chat && { chat: seen }) });
  if (redacted === null) return { claimed: false, reason: "not_queued" };
  return { claimed: true, run: { ...run, ...(redacted.value as Pick<typeof run, "input">) } };
}

/** A write of an earlier attempt that is in doubt and that this one does not begin with: only the very same call is sent again with its key. */
async function doubtBefore(
  { db, seals }: Shared,
  { scope }: LeaseKey,
  { row, tools }: LoadedTask,
): Promise<DoubtedStep | undefined> {
  if (!row.run_again) return undefined;
  const direct = directOf(row.skill);
  const tool = typeof direct === "object" ? tools.find(({ name }) => name === direct.tool) : undefined;
  const own = tool && actionKey({ seals, scope }, originOf(row), tool.name, inputOfRow(row));
  const isSentAgain = ({ action, target }: Doubt): boolean =>
    tool !== undefined && isRepeatable(tool) && action === own && (target === null || target === targetOf(tool));
  const doubts = await retryTransient(() => doubtsBefore(db, scope, row));
  const asked = doubts.find((doubt) => !isSentAgain(doubt));
  return (
    asked && {
      number: 1,
      kind: "tool",
      name: asked.tool,
      // The answer to another call ends no step of this run, whatever its placeholders mean.
      input: asked.action === own ? asked.input : { earlier: asked.input },
      effect: asked.key,
      failure: asked.failure,
    }
  );
}

interface Starting extends Shared {
  readonly open: (held: HeldRun) => Promise<OpenTurn | null>;
}

async function openTurn(
  { facts, clock, port, chatStored = () => undefined }: RunnerPortParts,
  { db, inside, newId, redactions, turns }: Shared,
  lease: LeaseKey,
  { work }: HeldRun,
): Promise<OpenTurn | null> {
  const restore = (text: string): string => String(redactions.restore(lease, text));
  const opened = await retryTransient(() =>
    port(conversationTurns).open({ db, inside, facts, clock, newId, restore, stored: chatStored }, lease, work),
  );
  if (opened) turns.set(lease, opened);
  return opened;
}

/** Ends a queued task by a kill switch or pause that ends it; one that is only held stays as it is. */
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
