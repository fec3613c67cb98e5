import { threadBudget } from "./budgets.ts";
import type { Step, WorkflowDefinition } from "./definition.ts";
import { durationMs } from "./duration.ts";
import { ExpressionFault, evaluate, holds, resolveAll, type Scope } from "./expressions.ts";
import type { Outcome } from "./state.ts";

// A run again, written without regard to speed and without looking at `advance`: rules over the tree of the file, the first that applies first.

export interface Seen {
  status: string;
  attempt: number;
  wakeAt?: number;
  output?: unknown;
  code?: string;
  tolerated?: true;
  timedOut?: true;
  undo?: string;
  place?: number;
}
type End = { readonly status: string; readonly undo: boolean; readonly code?: string; readonly output?: unknown };
type Branch = readonly [name: string, steps: readonly Node[]];
type Node = {
  readonly step: Step;
  readonly needs: readonly string[];
  readonly parent: Node | null;
  readonly branches: Branch[];
};

const failed = (code: string): End => ({ status: "failed", undo: false, code });
const over = new Set(["skipped", "completed", "failed", "rejected", "cancelled", "compensated", "outcome_unknown"]);
const finished = new Set(["compensated", "compensation_failed", "completed", "failed", "cancelled"]);
const insideOf = ({ branches }: Node): readonly Node[] => branches.flatMap(([, inner]) => inner);
const isCall = ({ agent, tool, workflow, approval }: Step) => Boolean(agent ?? tool ?? workflow ?? approval);

export class Reference {
  status = "queued";
  end: End | null = null;
  readonly seen = new Map<string, Seen>();
  readonly #nodes: Node[] = [];
  readonly #definition: WorkflowDefinition;
  readonly #input: unknown;
  readonly #lasts: number;
  readonly #most: number;
  #now: number;
  #asked?: string | undefined;
  #completions = 0;
  #begun = 0;
  #commands: string[] = [];

  constructor(definition: WorkflowDefinition, input: unknown, start: number) {
    this.#definition = definition;
    this.#input = input;
    this.#lasts = start + durationMs(definition.limits?.duration ?? "30d");
    this.#most = definition.limits?.steps ?? 500;
    this.#now = start;
    this.#grow(definition.steps, null);
  }

  /** One look: what is told, what time ends, then rules until none applies. Returns what is to be done outside. */
  look(now: number, outcomes: readonly Outcome[], asked: string | undefined): readonly string[] {
    this.#now = now;
    this.#asked = asked;
    this.#commands = [];
    if (finished.has(this.status)) return [];
    for (const outcome of outcomes) this.#hear(outcome);
    for (const node of this.#nodes) this.#expire(node);
    if (now >= this.#lasts) this.#finish(failed("duration_limit"));
    if (asked && asked !== "pause") this.#finish({ status: "cancelled", undo: asked !== "cancel" });
    if (asked !== "pause") while (!this.end && this.#nodes.some((node) => this.#apply(node)));
    this.#close();
    return this.#commands.filter((key) => {
      const [kind, id = ""] = key.split(" ");
      return kind === "undo" || !over.has(this.seen.get(id)?.status ?? "pending"); // what is over needs nothing
    });
  }

  wakeAt(): number | null {
    if (finished.has(this.status)) return null;
    const times = this.#nodes.flatMap((node) => {
      const { status, wakeAt } = this.at(node);
      if (wakeAt === undefined || over.has(status)) return [];
      return status === "pending" && (this.end || this.#asked === "pause" || !this.#isOpen(node)) ? [] : [wakeAt];
    });
    const next = Math.min(...times, this.end ? Number.POSITIVE_INFINITY : this.#lasts);
    return Number.isFinite(next) ? next : null;
  }

  at = ({ step }: Node): Seen => this.seen.get(step.id) ?? { status: "pending", attempt: 0 };

  #grow(steps: readonly Step[], parent: Node | null): readonly Node[] {
    return steps.map((step, at) => {
      const needs = step.needs ?? (at === 0 ? [] : [(steps[at - 1] as Step).id]);
      const node: Node = { step, needs, parent, branches: [] };
      this.#nodes.push(node);
      for (const [name, inner] of Object.entries(step.parallel?.branches ?? {}))
        node.branches.push([name, this.#grow(inner, node)]);
      return node;
    });
  }

  #scope(): Scope {
    const steps = this.#nodes.map((node) => {
      const { status, output } = this.at(node);
      return [node.step.id, { status, ...(output !== undefined && { output }) }] as const;
    });
    return {
      input: this.#input,
      run: {},
      steps: Object.fromEntries(steps),
      now: new Date(this.#now),
      budget: threadBudget(),
    };
  }

  #hear(outcome: Outcome): void {
    const node = this.#nodes.find(({ step }) => step.id === outcome.step) as Node;
    const seen = this.at(node);
    if (outcome.kind === "undone") {
      const undone = outcome.ok ? { status: "compensated", undo: "done" } : { undo: "failed" };
      if (seen.undo === "running") this.#set(node, { ...seen, ...undone });
      return;
    }
    if (seen.status === "pending" || over.has(seen.status) || seen.attempt !== outcome.attempt) return;
    if (outcome.kind === "event") this.#complete(node, outcome.body);
    else if (outcome.status === "completed") this.#complete(node, outcome.output);
    else if (outcome.status === "cancelled" && seen.timedOut) this.#fail(node, "failed", "timeout");
    else this.#fail(node, outcome.status, outcome.failure?.code ?? outcome.status);
  }

  #expire(node: Node): void {
    const { wakeAt, ...seen } = this.at(node);
    if (wakeAt === undefined || wakeAt > this.#now || !["running", "waiting"].includes(seen.status)) return;
    const { wait, parallel } = node.step;
    if (parallel) this.#fail(node, "failed", "timeout");
    else if (!wait) {
      this.#set(node, { ...seen, timedOut: true });
      this.#commands.push(`cancel ${node.step.id} ${seen.attempt}`);
    } else if (wait.event === undefined && !wait.any_of) this.#complete(node, undefined);
    else if (wait.on_timeout === "continue") this.#complete(node, { timed_out: true });
    else this.#lose(node, { ...seen, status: "failed", code: "timeout" });
  }

  /** Whether a rule applied to the step. */
  #apply(node: Node): boolean {
    const seen = this.at(node);
    if (node.step.parallel && seen.status === "running") return this.#join(node);
    if (seen.status !== "pending" || (seen.wakeAt ?? 0) > this.#now || !this.#isOpen(node)) return false;
    try {
      const { when } = node.step;
      if (seen.attempt === 0 && when !== undefined && !holds(when, this.#scope())) this.#skip(node);
      else this.#begin(node, seen.attempt + 1);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      const attempt = Math.max(1, seen.attempt);
      this.#lose(node, { status: "failed", attempt, code: "expression_failed" });
    }
    return true;
  }

  #isOpen({ parent, needs }: Node): boolean {
    return (parent === null || this.at(parent).status === "running") && needs.every((id) => this.#isGood(id));
  }

  #isGood(id: string): boolean {
    const { status = "pending", tolerated } = this.seen.get(id) ?? {};
    return status === "completed" || status === "skipped" || tolerated === true;
  }

  #skip(node: Node): void {
    this.#set(node, { status: "skipped", attempt: 0 });
    for (const one of insideOf(node)) this.#skip(one);
  }

  #begin(node: Node, attempt: number): void {
    const { step } = node;
    const { id, set, wait, end, parallel } = step;
    if (this.#begun >= this.#most) this.#finish(failed("step_limit"));
    if (this.end) return;
    const later = (text: string | undefined) => (text === undefined ? {} : { wakeAt: this.#now + durationMs(text) });
    const begun: Seen = { status: "running", attempt };
    if (set) {
      const output = resolveAll(set, this.#scope());
      this.#set(node, begun);
      this.#complete(node, output);
    } else if (parallel) this.#set(node, { ...begun, ...later(step.timeout) });
    else if (end) {
      const output = end.output === undefined ? undefined : resolveAll(end.output, this.#scope());
      if (end.reason !== undefined) evaluate(end.reason, this.#scope());
      this.#set(node, begun);
      this.#complete(node, output);
      if (end.status === "failed") this.#finish(failed("ended"));
      else this.#finish(output === undefined ? this.#whole() : { status: "completed", undo: false, output });
    } else if (wait) {
      const isForTime = wait.event === undefined && !wait.any_of;
      const until = wait.until === undefined ? undefined : Date.parse(evaluate(wait.until, this.#scope()) as string);
      const wakes = until === undefined ? later(wait.for ?? wait.at_most) : { wakeAt: until };
      this.#set(node, { ...begun, status: "waiting", ...wakes });
      if (!isForTime) this.#commands.push(`listen ${id} ${attempt}`);
      else if ((wakes.wakeAt ?? 0) <= this.#now) this.#complete(node, undefined);
    } else {
      const { in: list, at_most = 0 } = step.for_each ?? {};
      const items = list === undefined ? [] : (evaluate(list, this.#scope()) as unknown[]);
      if (items.length > at_most && list !== undefined) throw new ExpressionFault(list, "too many");
      if (!list) resolveAll(step.agent?.input ?? step.tool?.arguments ?? step.workflow?.input, this.#scope());
      this.#set(node, { ...begun, status: step.approval ? "waiting" : "running", ...later(step.timeout) });
      this.#commands.push(`start ${id} ${attempt}`);
    }
    this.#begun++;
  }

  #complete(node: Node, output: unknown): void {
    const { attempt } = this.at(node);
    this.#set(node, {
      status: "completed",
      attempt,
      place: ++this.#completions,
      ...(output !== undefined && { output }),
    });
  }

  #fail(node: Node, status: string, code: string): void {
    const { wakeAt: _past, ...seen } = this.at(node);
    const { retry } = node.step;
    const wanted = !this.end && (node.parent === null || this.at(node.parent).status === "running");
    if (status === "failed" && wanted && retry && seen.attempt < retry.attempts && !retry.not_on?.includes(code)) {
      const pause = durationMs(retry.backoff ?? "1s") * 2 ** (seen.attempt - 1);
      const { timedOut: _again, ...rest } = seen;
      this.#set(node, { ...rest, status: "pending", code, wakeAt: this.#now + pause });
    } else this.#lose(node, { ...seen, status, code });
  }

  /** A step is lost for good: so may be its run. */
  #lose(node: Node, { wakeAt: _past, ...seen }: Seen): void {
    const tolerated = node.step.on_error === "continue" && seen.status !== "cancelled";
    this.#set(node, { ...seen, ...(tolerated && { tolerated }) });
    for (const one of insideOf(node)) this.#recall(one);
    if (tolerated || node.parent !== null) return;
    const code = seen.status === "rejected" ? "rejected" : (seen.code as string);
    this.#finish({ status: "failed", undo: this.#asksUndo(node), code });
  }

  /** Whether the step, or what broke in its branches, says that a failure undoes the run. */
  #asksUndo(node: Node): boolean {
    const { on_error, wait } = node.step;
    if (on_error === "compensate" || (wait?.on_timeout === "compensate" && this.at(node).code === "timeout"))
      return true;
    const broken = insideOf(node).filter((one) => this.#isBroken(one));
    return broken.some((one) => this.at(one).status !== "cancelled" && this.#asksUndo(one));
  }

  #isBroken(node: Node): boolean {
    return over.has(this.at(node).status) && !this.#isGood(node.step.id);
  }

  /** Takes a step back: what runs outside is told, and counts once it has ended. */
  #recall(node: Node): void {
    const { wakeAt: _past, ...seen } = this.at(node);
    if (over.has(seen.status)) return;
    for (const one of insideOf(node)) this.#recall(one);
    const key = `${node.step.id} ${seen.attempt}`;
    if (!isCall(node.step) || seen.status === "pending") this.#set(node, { ...seen, status: "cancelled" });
    else if (this.#commands.includes(`start ${key}`)) {
      this.#commands = this.#commands.filter((one) => one !== `start ${key}`);
      this.#set(node, { ...seen, status: "cancelled" });
    } else {
      this.#set(node, seen);
      if (!seen.timedOut) this.#commands.push(`cancel ${key}`);
    }
  }

  #join(node: Node): boolean {
    const ends = node.branches.map(([name, inner]): [string, string] => {
      if (inner.some((one) => this.#isBroken(one))) return [name, "failed"];
      return [name, inner.every((one) => over.has(this.at(one).status)) ? "completed" : "cancelled"];
    });
    const count = (end: string) => ends.filter(([, one]) => one === end).length;
    const { join = "all" } = node.step.parallel ?? {};
    const wanted = join === "all" ? ends.length : join === "any" ? 1 : Math.min(join, ends.length);
    if (count("completed") >= wanted) {
      for (const one of insideOf(node)) this.#recall(one);
      this.#complete(node, Object.fromEntries(ends));
      return true;
    }
    const isLost = ends.length - count("failed") < wanted;
    const { code, status } = this.at((insideOf(node).find((one) => this.#isBroken(one)) ?? node) as Node);
    if (isLost) this.#fail(node, "failed", code ?? status);
    return isLost;
  }

  #finish(end: End): void {
    if (this.end) return;
    this.end = end;
    for (const node of this.#nodes) if (node.parent === null && this.at(node).status !== "pending") this.#recall(node);
  }

  #whole(): End {
    try {
      const { output } = this.#definition;
      return { status: "completed", undo: false, ...(output && { output: resolveAll(output, this.#scope()) }) };
    } catch {
      return failed("expression_failed");
    }
  }

  #close(): void {
    const open = this.#nodes.filter((node) => {
      const { status, attempt } = this.at(node);
      return status === "running" || status === "waiting" || (status === "pending" && attempt > 0 && !this.end);
    });
    if (!this.end && open.length === 0 && this.#asked !== "pause") this.end = this.#whole();
    if (!this.end || open.length > 0) {
      const runs = open.some((node) => this.at(node).status === "running" && !node.step.parallel);
      this.status = this.end ? "running" : this.#asked === "pause" ? "paused" : runs ? "running" : "waiting";
    } else if (this.end.undo) this.#undo();
    else this.status = this.end.status;
  }

  #undo(): void {
    this.status = "compensating";
    const done = this.#nodes.filter((node) => node.step.compensate && this.at(node).place !== undefined);
    if (done.some((node) => this.at(node).undo === "running")) return;
    const left = done.filter((node) => this.at(node).undo === undefined);
    const last = left.sort((a, b) => (this.at(b).place ?? 0) - (this.at(a).place ?? 0))[0];
    if (!last) {
      const isLost = this.#nodes.some((one) => one.step.compensate && this.at(one).status === "outcome_unknown");
      const isWhole = !isLost && done.every((node) => this.at(node).undo === "done");
      this.status = isWhole ? "compensated" : "compensation_failed";
    } else {
      const { agent, tool } = last.step.compensate ?? {};
      try {
        resolveAll(agent?.input ?? tool?.arguments, this.#scope());
        this.#set(last, { ...this.at(last), undo: "running" });
        this.#commands.push(`undo ${last.step.id}`);
      } catch {
        this.#set(last, { ...this.at(last), undo: "failed" });
        this.#undo();
      }
    }
  }

  #set = ({ step }: Node, seen: Seen): unknown => this.seen.set(step.id, seen);
}
