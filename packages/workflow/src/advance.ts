import type { Budget } from "@aos/cel";
import { editedActionOf, factsOf, scopeOf, undoOf } from "./actions.ts";
import type { Step, Wait } from "./definition.ts";
import { durationMs } from "./duration.ts";
import { completedEnding, type Ending, endingOf } from "./ending.ts";
import { evaluate, failureOfFault, holds, resolveAll, type Scope, type StepFacts } from "./expressions.ts";
import { failureOf, overTime } from "./failures.ts";
import { joinOf } from "./join.ts";
import { dueAt, durationEnd, nextWake } from "./outlook.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import { Ready } from "./ready.ts";
import {
  type Advanced,
  type Command,
  type Failure,
  isMet,
  isOver,
  isRunOver,
  lasting,
  type Outcome,
  type RunState,
  type StepState,
  triesOf,
} from "./state.ts";
import { nextUndo, undoesRun } from "./undo.ts";
import { isForEvent, timesOf } from "./waits.ts";

type Ended = Extract<Outcome, { kind: "ended" }>;

const unbegun: StepState = { status: "pending", attempt: 0 };
const isUnderWay = ({ status }: StepState): boolean => status === "running" || status === "waiting";

/**
 * What a run does next: takes what has happened, ends what is due, begins what is ready, until nothing more can happen without the outside. Pure: the same plan,
 * state, outcomes and time give the same result, and outcomes of what is over or of an earlier attempt change nothing. Its expressions share the budget; throws
 * `NeedsThread` where that says so.
 */
export function advance(
  plan: Plan,
  state: RunState,
  outcomes: readonly Outcome[],
  now: number,
  budget: Budget,
): Advanced {
  if (isRunOver(state.status)) return { state, changed: [], commands: [], wakeAt: null };
  const walk = new Walk(plan, state, now, budget);
  for (const outcome of outcomes) walk.take(outcome);
  walk.wake();
  walk.goOn();
  return walk.result();
}

/** A run before its first step. */
export function newRun(given: Pick<RunState, "input" | "run" | "event">, now: number): RunState {
  return { ...given, status: "queued", startedAt: now, steps: new Map(), begun: 0, completed: 0 };
}

class Walk {
  readonly #plan: Plan;
  readonly #budget: Budget;
  readonly #now: number;
  readonly #state: RunState;
  readonly #steps: Map<string, StepState>;
  readonly #facts: Record<string, StepFacts> = {};
  readonly #changed = new Set<string>();
  readonly #commands: Command[] = [];
  readonly #ready = new Ready();
  #begun: number;
  #completed: number;
  #asked: RunState["asked"];
  #ending: Ending | undefined;
  #status: RunState["status"];

  constructor(plan: Plan, state: RunState, now: number, budget: Budget) {
    this.#plan = plan;
    this.#budget = budget;
    this.#now = now;
    this.#state = state;
    this.#steps = new Map(state.steps);
    this.#begun = state.begun;
    this.#completed = state.completed;
    this.#asked = state.asked;
    this.#ending = state.ending;
    this.#status = state.status;
    for (const { id } of plan.steps) this.#facts[id] = factsOf(plan, id, this.#at(id));
  }

  take(outcome: Outcome): void {
    const before = this.#at(outcome.step);
    if (outcome.kind === "undone") {
      if (before.undo !== "running") return;
      const { failure } = outcome;
      if (outcome.ok) this.#put(outcome.step, { ...before, status: "compensated", undo: "done" });
      else this.#put(outcome.step, { ...before, undo: "failed", ...(failure && { failure }) });
      return;
    }
    if (isOver(before) || before.attempt !== outcome.attempt || before.status === "pending") return;
    if (outcome.kind === "event") this.#complete(outcome.step, { output: outcome.body });
    else if (outcome.status === "completed") this.#complete(outcome.step, outcome);
    else this.#fail(outcome.step, ...failureOf(before, this.#planned(outcome.step).step, outcome), outcome);
  }

  /** Ends waits and time limits that are over. */
  wake(): void {
    for (const planned of this.#plan.steps) {
      const { id } = planned;
      const state = this.#at(id);
      if (isOver(state) || state.status === "pending") continue;
      if ((dueAt(planned, state, this.#state) ?? Number.POSITIVE_INFINITY) > this.#now) continue;
      if (planned.kind === "wait") this.#endWait(id, planned.step.wait as Wait);
      else if (planned.kind === "parallel") this.#fail(id, "failed", overTime(planned.step));
      else {
        const { wakeAt: _over, ...rest } = state;
        this.#put(id, { ...rest, timedOut: true });
        this.#commands.push({ kind: "cancel", step: id, attempt: state.attempt });
      }
    }
    const { durationMs: limit } = this.#plan.limits;
    if (this.#ending || this.#status === "compensating" || this.#now < durationEnd(this.#plan, this.#state)) return;
    this.#end({
      status: "failed",
      failure: { code: "duration_limit", detail: `The run took longer than its limit of ${limit / 1000} seconds.` },
      compensate: false,
    });
  }

  goOn(): void {
    if (this.#asked === "cancel" || this.#asked === "cancel_and_compensate")
      this.#end({ status: "cancelled", compensate: this.#asked === "cancel_and_compensate" });
    if (this.#asked === "compensate") this.#end({ status: "cancelled", compensate: true });
    if (!this.#ending && this.#asked !== "pause") {
      for (const { id, place } of this.#plan.steps) if (!isOver(this.#at(id))) this.#ready.add(place);
      for (let at = this.#ready.next(); at !== undefined && !this.#ending; at = this.#ready.next())
        this.#look(this.#plan.steps[at] as PlannedStep);
    }
    this.#settle();
  }

  result(): Advanced {
    const { input, run, event, startedAt, lost } = this.#state;
    const state: RunState = {
      input,
      run,
      startedAt,
      status: this.#status,
      steps: this.#steps,
      begun: this.#begun,
      completed: this.#completed,
      ...(event !== undefined && { event }),
      ...(lost && { lost }),
      ...(this.#asked && { asked: this.#asked }),
      ...(this.#ending && { ending: this.#ending }),
    };
    return { state, changed: [...this.#changed], commands: this.#wanted(), wakeAt: nextWake(this.#plan, state) };
  }

  /** A step that was over before the look ended needs nothing any more. */
  #wanted(): readonly Command[] {
    return this.#commands.filter(({ kind, step }) => kind === "undo" || !isOver(this.#at(step)));
  }

  #at(id: string): StepState {
    return this.#steps.get(id) ?? unbegun;
  }

  #planned(id: string): PlannedStep {
    return this.#plan.byId.get(id) as PlannedStep;
  }

  #put(id: string, state: StepState): void {
    this.#steps.set(id, state);
    this.#facts[id] = factsOf(this.#plan, id, state);
    this.#changed.delete(id);
    this.#changed.add(id);
    const { parent, neededBy, branches } = this.#planned(id);
    for (const next of neededBy) this.#ready.add(this.#planned(next).place);
    if (parent !== null) this.#ready.add(this.#planned(parent).place);
    for (const [, steps] of branches) for (const inner of steps) this.#ready.add(this.#planned(inner).place);
  }

  #scope(): Scope {
    return scopeOf(this.#plan, this.#state, this.#facts, this.#now, this.#budget);
  }

  /** Begins a step that is ready, or ends a step `parallel` whose branches suffice. */
  #look(planned: PlannedStep): void {
    const { id } = planned;
    const state = this.#at(id);
    if (planned.kind === "parallel" && state.status === "running") this.#join(planned);
    if (state.status !== "pending" || (state.wakeAt ?? 0) > this.#now) return;
    if (planned.parent !== null && this.#at(planned.parent).status !== "running") return;
    if (!planned.needs.every((need) => isMet(this.#at(need)))) return;
    try {
      if (triesOf(state) === 0 && planned.step.when !== undefined && !holds(planned.step.when, this.#scope()))
        this.#skip(id);
      else this.#begin(planned, state);
    } catch (error) {
      const failure = failureOfFault(error);
      this.#giveUp(id, {
        ...state,
        status: "failed",
        attempt: state.attempt + (triesOf(state) === 0 ? 1 : 0),
        failure,
      });
    }
  }

  #skip(id: string): void {
    const { attempt } = this.#at(id);
    this.#put(id, { status: "skipped", attempt, ...lasting(this.#at(id)) });
    for (const [, steps] of this.#planned(id).branches) for (const inner of steps) this.#skip(inner);
  }

  #begin(planned: PlannedStep, before: StepState): void {
    const { id, kind, step } = planned;
    if (this.#begun >= this.#plan.limits.steps) {
      const detail = `The run began ${this.#begun} steps, which is its limit (limits.steps).`;
      this.#end({ status: "failed", failure: { code: "step_limit", detail }, compensate: false });
      return;
    }
    const attempt = before.attempt + 1;
    const begun: StepState = { status: "running", attempt, startedAt: this.#now, ...lasting(before) };
    if (kind === "set") this.#put(id, begun); // counted as begun, and over at once
    if (kind === "set") this.#complete(id, { output: resolveAll(step.set, this.#scope()) });
    else if (kind === "parallel") this.#put(id, { ...begun, ...this.#limit(step) });
    else if (kind === "wait") this.#wait(id, step.wait as Wait, begun);
    else if (kind === "end") this.#finish(id, step, begun);
    else {
      const action = editedActionOf(this.#plan, planned, this.#scope(), before);
      const status = kind === "approval" ? "waiting" : "running";
      this.#put(id, { ...begun, status, ...this.#limit(step) });
      this.#commands.push({ kind: "start", step: id, attempt, action });
    }
    this.#begun += 1;
  }

  #limit({ timeout }: Step): { wakeAt?: number } {
    return timeout === undefined ? {} : { wakeAt: this.#now + durationMs(timeout) };
  }

  #wait(id: string, wait: Wait, begun: StepState): void {
    const { wakeAt, since } = timesOf(wait, this.#scope(), this.#state.startedAt);
    this.#put(id, { ...begun, status: "waiting", ...(wakeAt !== undefined && { wakeAt }) });
    if (isForEvent(wait)) this.#commands.push({ kind: "listen", step: id, attempt: begun.attempt, since });
    else if ((wakeAt ?? 0) <= this.#now) this.#endWait(id, wait);
  }

  /** A wait for a time has done what it was for; one for an event has not. */
  #endWait(id: string, wait: Wait): void {
    const failure = { code: "timeout", detail: `No event came within ${wait.at_most}.` };
    if (!isForEvent(wait)) this.#complete(id, {});
    else if (wait.on_timeout === "continue") this.#complete(id, { output: { timed_out: true } });
    else this.#giveUp(id, { ...this.#at(id), status: "failed", failure });
  }

  #finish(id: string, { end = {} }: Step, begun: StepState): void {
    const output = end.output === undefined ? undefined : resolveAll(end.output, this.#scope());
    const reason =
      end.reason === undefined ? "The workflow ended itself." : String(evaluate(end.reason, this.#scope()));
    this.#put(id, begun);
    this.#complete(id, output === undefined ? {} : { output });
    if (end.status === "failed")
      this.#end({ status: "failed", compensate: false, failure: { code: "ended", detail: reason } });
    else
      this.#end(
        output === undefined
          ? completedEnding(this.#plan, this.#scope())
          : { status: "completed", compensate: false, output },
      );
  }

  #complete(id: string, { output, trustScore, trustLow, costUsd }: Partial<Ended>): void {
    const state = this.#at(id);
    const { attempt, startedAt } = state;
    this.#completed += 1;
    this.#put(id, {
      status: "completed",
      attempt,
      completedAs: this.#completed,
      ...lasting(state),
      ...(startedAt !== undefined && { startedAt }),
      ...(output !== undefined && { output }),
      ...(trustScore !== undefined && { trustScore }),
      ...(trustLow !== undefined && { trustLow }),
      ...(costUsd !== undefined && { costUsd }),
    });
  }

  /** A failure: another attempt after a pause, or the step's end. */
  #fail(
    id: string,
    status: "failed" | "rejected" | "cancelled" | "outcome_unknown",
    failure: Failure,
    known: Partial<Ended> = {},
  ): void {
    const { wakeAt: _over, ...state } = this.#at(id);
    const { step, parent } = this.#planned(id);
    const { retry } = step;
    const isWanted = !this.#ending && (parent === null || this.#at(parent).status === "running");
    const again =
      status === "failed" &&
      isWanted &&
      retry &&
      triesOf(state) < retry.attempts &&
      !retry.not_on?.includes(failure.code);
    if (again) {
      const pause = durationMs(retry.backoff ?? "1s") * 2 ** (triesOf(state) - 1);
      this.#put(id, { ...state, status: "pending", failure, wakeAt: this.#now + pause });
      return;
    }
    const costUsd = known.costUsd === undefined ? {} : { costUsd: known.costUsd };
    this.#giveUp(id, { ...state, status, failure, ...costUsd });
  }

  /** A step has failed for good: what that means says the step, or the branch in which it stands. */
  #giveUp(id: string, state: StepState): void {
    const { step, parent } = this.#planned(id);
    const tolerated = step.on_error === "continue" && state.status !== "cancelled";
    const { wakeAt: _over, ...over } = state;
    this.#put(id, { ...over, ...(tolerated && { tolerated }) });
    for (const [, steps] of this.#planned(id).branches) for (const inner of steps) this.#drop(inner);
    if (tolerated || parent !== null || this.#ending) return;
    const { code, detail } = state.failure ?? { code: state.status, detail: "It did not complete." };
    const failure = { code: state.status === "rejected" ? "rejected" : code, detail: `${id}: ${detail}` };
    this.#end({ status: "failed", failure, compensate: undoesRun(this.#plan, (one) => this.#at(one), id) });
  }

  /** Takes back a step that is no longer wanted. What runs outside is notified, and its end is awaited. */
  #drop(id: string): void {
    const state = this.#at(id);
    if (isOver(state)) return;
    const { kind, branches } = this.#planned(id);
    for (const [, steps] of branches) for (const inner of steps) this.#drop(inner);
    const isOutside = isUnderWay(state) && kind !== "wait" && kind !== "parallel";
    const runs = isOutside && !this.#unstart(id);
    if (runs && !state.timedOut) this.#commands.push({ kind: "cancel", step: id, attempt: state.attempt });
    const { wakeAt: _over, ...rest } = state;
    this.#put(id, runs ? rest : { ...rest, status: "cancelled" });
  }

  /** Takes back a start that nobody has heard of yet. */
  #unstart(id: string): boolean {
    const at = this.#commands.findIndex(({ kind, step }) => kind === "start" && step === id);
    if (at >= 0) this.#commands.splice(at, 1);
    return at >= 0;
  }

  #join(planned: PlannedStep): void {
    const joined = joinOf(planned, (id) => this.#at(id));
    if (joined === "open") return;
    if (!joined.ok) {
      this.#fail(planned.id, "failed", joined.failure);
      return;
    }
    for (const [, steps] of planned.branches) for (const inner of steps) this.#drop(inner);
    this.#complete(planned.id, { output: joined.output });
  }

  /** Decides how the run ends; the first decision counts. What runs is taken back. */
  #end(ending: Ending): void {
    if (this.#ending || this.#status === "compensating") return;
    this.#ending = ending;
    for (const { id, parent } of this.#plan.steps)
      if (parent === null && this.#at(id).status !== "pending") this.#drop(id);
  }

  /** Where the run as a whole stands after all that. */
  #settle(): void {
    const states = this.#plan.steps.map(({ id }) => this.#at(id));
    const busy = states.some(
      (state) => isUnderWay(state) || (state.status === "pending" && triesOf(state) > 0 && !this.#ending),
    );
    if (!this.#ending && !busy && this.#asked !== "pause")
      this.#ending = endingOf(this.#plan, (id) => this.#at(id), this.#scope());
    if (!this.#ending) {
      const runs = this.#plan.steps.some(({ id, kind }) => kind !== "parallel" && this.#at(id).status === "running");
      this.#status = this.#asked === "pause" ? "paused" : runs ? "running" : "waiting";
      return;
    }
    if (busy && this.#status !== "compensating") this.#status = "running";
    else if (!busy) this.#close(this.#ending);
  }

  #close({ status, compensate }: Ending): void {
    if (!compensate) {
      this.#status = status;
      return;
    }
    this.#status = "compensating";
    const next = nextUndo(this.#plan, (id) => this.#at(id));
    if (typeof next === "object") this.#undo(next);
    else if (next !== "running") this.#status = next;
  }

  #undo({ id, step }: PlannedStep): void {
    const of = step.compensate as NonNullable<Step["compensate"]>;
    try {
      this.#commands.push({ kind: "undo", step: id, action: undoOf(of, this.#scope()), of });
      this.#put(id, { ...this.#at(id), undo: "running" });
    } catch (error) {
      this.#put(id, { ...this.#at(id), undo: "failed", failure: failureOfFault(error) });
      this.#settle();
    }
  }
}
