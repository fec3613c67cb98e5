import { editedActionOf, factsOf, scopeOf, undoOf } from "./actions.ts";
import { lasting, triesOf } from "./attempts.ts";
import type { Step, Wait } from "./definition.ts";
import { durationMs } from "./duration.ts";
import { ExpressionFault, evaluate, holds, resolveAll, type Scope, type StepFacts } from "./expressions.ts";
import { failureOf, momentOf, overTime } from "./failures.ts";
import { joinOf } from "./join.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import {
  type Advanced,
  type Command,
  type Failure,
  isOver,
  isRunOver,
  type Outcome,
  type RunState,
  type StepState,
} from "./state.ts";
import { nextUndo } from "./undo.ts";

type Ending = NonNullable<RunState["ending"]>;
type Ended = Extract<Outcome, { kind: "ended" }>;

const unbegun: StepState = { status: "pending", attempt: 0 };

/**
 * What a run does next: takes what has happened, ends what is due, begins what is ready, until nothing more can happen without the outside. Pure: the same plan,
 * state, outcomes and time give the same result, and outcomes of what is over or of an earlier attempt change nothing.
 */
export function advance(plan: Plan, state: RunState, outcomes: readonly Outcome[], now: number): Advanced {
  if (isRunOver(state.status)) return { state, changed: [], commands: [], wakeAt: null };
  const walk = new Walk(plan, state, now);
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
  readonly #now: number;
  readonly #state: RunState;
  readonly #steps: Map<string, StepState>;
  readonly #facts: Record<string, StepFacts> = {};
  readonly #changed = new Set<string>();
  readonly #commands: Command[] = [];
  readonly #queue: string[] = [];
  #begun: number;
  #completed: number;
  #asked: RunState["asked"];
  #ending: Ending | undefined;
  #status: RunState["status"];

  constructor(plan: Plan, state: RunState, now: number) {
    this.#plan = plan;
    this.#now = now;
    this.#state = state;
    this.#steps = new Map(state.steps);
    this.#begun = state.begun;
    this.#completed = state.completed;
    this.#asked = state.asked;
    this.#ending = state.ending;
    this.#status = state.status;
    for (const { id } of plan.steps) this.#facts[id] = factsOf(this.#at(id));
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
    for (const [id, state] of this.#steps) {
      if (state.wakeAt === undefined || state.wakeAt > this.#now || isOver(state) || state.status === "pending")
        continue;
      const planned = this.#planned(id);
      if (planned.kind === "wait") this.#endWait(id, planned.step.wait as Wait);
      else if (planned.kind === "parallel") this.#fail(id, "failed", overTime(planned.step));
      else {
        const { wakeAt: _over, ...rest } = state;
        this.#put(id, { ...rest, timedOut: true });
        this.#commands.push({ kind: "cancel", step: id, attempt: state.attempt });
      }
    }
    const { durationMs: limit } = this.#plan.limits;
    if (this.#ending || this.#status === "compensating" || this.#now < this.#state.startedAt + limit) return;
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
      for (const { id } of this.#plan.steps) if (!isOver(this.#at(id))) this.#queue.push(id);
      for (let id = this.#queue.shift(); id !== undefined && !this.#ending; id = this.#queue.shift()) this.#look(id);
    }
    this.#settle();
  }

  result(): Advanced {
    const { input, run, event, startedAt } = this.#state;
    return {
      state: {
        ...{
          input,
          run,
          startedAt,
          status: this.#status,
          steps: this.#steps,
          begun: this.#begun,
          completed: this.#completed,
        },
        ...(event !== undefined && { event }),
        ...(this.#asked && { asked: this.#asked }),
        ...(this.#ending && { ending: this.#ending }),
      },
      changed: [...this.#changed],
      commands: this.#commands,
      wakeAt: isRunOver(this.#status) ? null : this.#nextWake(),
    };
  }

  #at(id: string): StepState {
    return this.#steps.get(id) ?? unbegun;
  }

  #planned(id: string): PlannedStep {
    return this.#plan.byId.get(id) as PlannedStep;
  }

  #put(id: string, state: StepState): void {
    this.#steps.set(id, state);
    this.#facts[id] = factsOf(state);
    this.#changed.delete(id);
    this.#changed.add(id);
    const { parent, neededBy, branches } = this.#planned(id);
    this.#queue.push(...neededBy, ...(parent === null ? [] : [parent]), ...branches.flatMap(([, steps]) => steps));
  }

  #scope(): Scope {
    return scopeOf(this.#state, this.#facts, this.#now);
  }

  /** Begins a step that is ready, or ends a step `parallel` whose branches suffice. */
  #look(id: string): void {
    const state = this.#at(id);
    const planned = this.#planned(id);
    if (planned.kind === "parallel" && state.status === "running") this.#join(planned);
    if (state.status !== "pending" || (state.wakeAt ?? 0) > this.#now) return;
    if (planned.parent !== null && this.#at(planned.parent).status !== "running") return;
    if (!planned.needs.every((need) => this.#isMet(need))) return;
    try {
      if (triesOf(state) === 0 && planned.step.when !== undefined && !holds(planned.step.when, this.#scope()))
        this.#skip(id);
      else this.#begin(planned, state);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      const failure = { code: "expression_failed", detail: `${error.source}: ${error.message}` };
      this.#giveUp(id, {
        ...state,
        status: "failed",
        attempt: state.attempt + (triesOf(state) === 0 ? 1 : 0),
        failure,
      });
    }
  }

  #isMet(id: string): boolean {
    const { status, tolerated } = this.#at(id);
    return status === "completed" || status === "skipped" || tolerated === true;
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
    const until = wait.until === undefined ? undefined : momentOf(wait.until, evaluate(wait.until, this.#scope()));
    const span = wait.for ?? wait.at_most;
    const wakeAt = until ?? (span === undefined ? undefined : this.#now + durationMs(span));
    const since =
      wait.since === undefined ? this.#state.startedAt : momentOf(wait.since, evaluate(wait.since, this.#scope()));
    this.#put(id, { ...begun, status: "waiting", ...(wakeAt !== undefined && { wakeAt }) });
    if (wait.event !== undefined || wait.any_of !== undefined)
      this.#commands.push({ kind: "listen", step: id, attempt: begun.attempt, since });
    else if ((wakeAt ?? 0) <= this.#now) this.#endWait(id, wait);
  }

  /** A wait for a time has done what it was for; one for an event has not. */
  #endWait(id: string, wait: Wait): void {
    const forEvent = wait.event !== undefined || wait.any_of !== undefined;
    if (!forEvent) {
      this.#complete(id, {});
      return;
    }
    if (wait.on_timeout === "continue") {
      this.#complete(id, { output: { timed_out: true } });
      return;
    }
    const failure = { code: "timeout", detail: `No event came within ${wait.at_most}.` };
    this.#giveUp(id, { ...this.#at(id), status: "failed", failure }, wait.on_timeout === "compensate");
  }

  #finish(id: string, { end = {} }: Step, begun: StepState): void {
    const output = end.output === undefined ? undefined : resolveAll(end.output, this.#scope());
    const reason =
      end.reason === undefined ? "The workflow ended itself." : String(evaluate(end.reason, this.#scope()));
    this.#put(id, begun);
    this.#complete(id, output === undefined ? {} : { output });
    const status = end.status ?? "completed";
    this.#end({
      status,
      compensate: false,
      ...(status === "failed" ? { failure: { code: "ended", detail: reason } } : { output: output ?? this.#output() }),
    });
  }

  #complete(id: string, { output, trustScore, trustLow, costUsd }: Partial<Ended>): void {
    const state = this.#at(id);
    const { attempt, startedAt } = state;
    this.#completed += 1;
    this.#put(id, {
      ...{ status: "completed", attempt, completedAs: this.#completed, ...lasting(state) },
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
  #giveUp(id: string, state: StepState, compensate = false): void {
    const { step, parent } = this.#planned(id);
    const tolerated = step.on_error === "continue" && state.status !== "cancelled";
    const { wakeAt: _over, ...over } = state;
    this.#put(id, { ...over, ...(tolerated && { tolerated }) });
    for (const [, steps] of this.#planned(id).branches) for (const inner of steps) this.#drop(inner);
    if (tolerated || parent !== null || this.#ending) return;
    const { code, detail } = state.failure ?? { code: state.status, detail: "It did not complete." };
    const failure = { code: state.status === "rejected" ? "rejected" : code, detail: `${id}: ${detail}` };
    this.#end({ status: "failed", failure, compensate: compensate || step.on_error === "compensate" });
  }

  /** Takes back a step that is no longer wanted. What runs outside is told, and its end waited for. */
  #drop(id: string): void {
    const state = this.#at(id);
    if (isOver(state)) return;
    const { kind, branches } = this.#planned(id);
    for (const [, steps] of branches) for (const inner of steps) this.#drop(inner);
    const isOutside =
      (state.status === "running" || state.status === "waiting") && kind !== "wait" && kind !== "parallel";
    if (isOutside) this.#commands.push({ kind: "cancel", step: id, attempt: state.attempt });
    const { wakeAt: _over, ...rest } = state;
    this.#put(id, isOutside ? rest : { ...rest, status: "cancelled" });
  }

  #join(planned: PlannedStep): void {
    const joined = joinOf(
      planned,
      (id) => this.#at(id),
      (id) => this.#isMet(id),
    );
    if (joined === "open") return;
    for (const [, steps] of planned.branches) for (const inner of steps) this.#drop(inner);
    if (joined.ok) {
      this.#complete(planned.id, { output: joined.output });
      return;
    }
    this.#fail(planned.id, "failed", joined.failure);
  }

  /** Decides how the run ends; the first decision counts. What runs is taken back. */
  #end(ending: Ending): void {
    if (this.#ending || this.#status === "compensating") return;
    this.#ending = ending;
    for (const { id, parent } of this.#plan.steps)
      if (parent === null && this.#at(id).status !== "pending") this.#drop(id);
  }

  #output(): unknown {
    const { output } = this.#plan.definition;
    return output === undefined ? undefined : resolveAll(output, this.#scope());
  }

  /** Where the run as a whole stands after all that. */
  #settle(): void {
    const states = this.#plan.steps.map(({ id }) => this.#at(id));
    const busy = states.some(
      (state) =>
        state.status === "running" ||
        state.status === "waiting" ||
        (state.status === "pending" && triesOf(state) > 0 && !this.#ending),
    );
    if (!this.#ending && !busy && this.#asked !== "pause") this.#ending = this.#whole();
    if (!this.#ending) {
      const runs = states.some(({ status }) => status === "running");
      this.#status = this.#asked === "pause" ? "paused" : runs ? "running" : "waiting";
      return;
    }
    if (busy && this.#status !== "compensating") this.#status = "running";
    else if (!busy) this.#close(this.#ending);
  }

  /** Nothing is left to do. */
  #whole(): Ending {
    const left = this.#plan.steps.find(({ id, parent }) => parent === null && !isOver(this.#at(id)));
    if (left)
      return {
        status: "failed",
        failure: { code: "stuck", detail: `${left.id} waits for a step that never comes.` },
        compensate: false,
      };
    try {
      const output = this.#output();
      return { status: "completed", compensate: false, ...(output !== undefined && { output }) };
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      const failure = { code: "expression_failed", detail: `output: ${error.source}: ${error.message}` };
      return { status: "failed", failure, compensate: false };
    }
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
      if (!(error instanceof ExpressionFault)) throw error;
      this.#put(id, {
        ...this.#at(id),
        undo: "failed",
        failure: { code: "expression_failed", detail: `${error.source}: ${error.message}` },
      });
      this.#settle();
    }
  }

  #nextWake(): number | null {
    let next = this.#ending ? Number.POSITIVE_INFINITY : this.#state.startedAt + this.#plan.limits.durationMs;
    for (const state of this.#steps.values())
      if (state.wakeAt !== undefined && !isOver(state)) next = Math.min(next, state.wakeAt);
    return Number.isFinite(next) ? next : null;
  }
}
