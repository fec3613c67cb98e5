import { canonicalJson } from "../kernel/canonical-json.ts";
import type { Failure, JournalStep, Lease, RunTool, StepSpec, TaskRun, TaskRunnerPort } from "./port.ts";

/** How a run ended; `lost`: the lease is gone, and nothing that this worker could still write would count. */
export type Ending =
  | { readonly kind: "completed"; readonly output: Record<string, unknown> }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "blocked"; readonly failure: Failure }
  | { readonly kind: "given_back" }
  /** A stop or pause stands against going on, with this tool. */
  | { readonly kind: "held"; readonly tool: string }
  | { readonly kind: "lost" };

/** Where a run is at this moment, for who watches it. */
export interface RunProgress {
  /** The tool that is being called; null: none. */
  tool: string | null;
}

export interface Running {
  readonly port: TaskRunnerPort;
  readonly lease: Lease;
  readonly run: TaskRun;
  /** Aborted when the task was cancelled, its time is over or the process stops; with the reason. */
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** One call of a tool that the input suffices for. */
export interface PlannedCall {
  readonly tool: RunTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The skill's read tools whose arguments the input supplies, in the order in which the skill names them. */
export function plannedCalls({ tools, input }: Pick<TaskRun, "tools" | "input">): PlannedCall[] {
  return tools.flatMap((tool): PlannedCall[] => {
    if (tool.effect !== "read") return [];
    const field = tool.idFields.find((name) => typeof input[name] === "string" && input[name] !== "");
    return field === undefined ? [] : [{ tool, arguments: { [field]: input[field] } }];
  });
}

/**
 * Runs a claimed task: makes the calls that its input suffices for, each journalled before and after, and answers what they found. A step that
 * an earlier, interrupted run of the task finished is not made again. Throws what `signal` was aborted with.
 */
export async function runTask(running: Running): Promise<Ending> {
  const { port, lease, run, signal } = running;
  const calls = plannedCalls(run);
  if (calls.length > run.limits.steps) {
    const detail = `The skill may take ${run.limits.steps} steps and would take ${calls.length}; raise its limit or give it fewer tools.`;
    return { kind: "failed", failure: { code: "step_limit", detail } };
  }
  const steps = run.resumed ? await port.journal(lease) : [];
  const doubtful = steps.find((step) => isDoubtful(step, run));
  if (doubtful) return unknownOutcome(running, doubtful);
  const journal = new Map(steps.map((step) => [step.number, step]));
  const records: Record<string, unknown> = {};
  const spent: Spent = { ...run.spent };
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted();
    const step: StepSpec = { number: index + 1, kind: "tool", name: call.tool.name, input: call.arguments };
    const result = await takeStep(running, { step, tool: call.tool, spent }, journal.get(step.number));
    if (result.kind !== "output") return result;
    records[call.tool.name] = result.output;
  }
  signal.throwIfAborted();
  return { kind: "completed", output: { records, summary: summaryOf(run, calls) } };
}

type StepResult = { readonly kind: "output"; readonly output: unknown } | Exclude<Ending, { kind: "completed" }>;

/** What the task has used so far. */
interface Spent {
  tokens: number;
  costUsd: number;
}

interface Step {
  readonly step: StepSpec;
  readonly tool: RunTool;
  readonly spent: Spent;
}

/**
 * Takes a step, or its result from the journal. A reading step that was interrupted is simply taken again. Before anything happens it is asked
 * whether a stop or pause stands against it, and whether it would go over a limit.
 */
async function takeStep(running: Running, { step, tool, spent }: Step, earlier: JournalStep | undefined): Promise<StepResult> {
  const same = earlier && earlier.name === step.name && canonicalJson(earlier.input) === canonicalJson(step.input);
  if (same && earlier.state === "finished") return { kind: "output", output: earlier.output };
  const hold = running.port.holdOf(running.lease, running.run, tool.name);
  if (hold !== "go") return heldAt(hold, tool.name);
  const failure = overLimit(running.run, spent, tool);
  if (failure) return { kind: "failed", failure };
  const id = await running.port.beginStep(running.lease, step);
  return id === null ? { kind: "lost" } : makeCall(running, id, { step, tool, spent });
}

async function makeCall(running: Running, id: string, { step, tool, spent }: Step): Promise<StepResult> {
  const { port, lease, signal, progress } = running;
  progress.tool = tool.name;
  const result = await orAborted(signal, port.callTool(lease, { tool: step.name, arguments: step.input as Record<string, unknown> }));
  progress.tool = null;
  if (result.kind === "lost") return result;
  if (result.kind === "output") {
    const { output, verdict, costUsd } = result;
    spent.costUsd += costUsd;
    return (await port.endStep(lease, id, { state: "finished", output, verdict, costUsd })) ? { kind: "output", output } : { kind: "lost" };
  }
  const { failure } = result;
  const { verdict, costUsd } = result.kind === "failed" ? result : { verdict: "deny", costUsd: 0 };
  if (!(await port.endStep(lease, id, { state: "failed", failure, verdict, costUsd }))) return { kind: "lost" };
  if (result.kind === "held") return heldAt(result.hold, tool.name);
  return { kind: result.kind === "refused" ? "blocked" : "failed", failure };
}

const heldAt = (hold: "give_back" | "stop", tool: string): StepResult =>
  hold === "stop" ? { kind: "held", tool } : { kind: "given_back" };

/** Less than a millionth of a dollar, in which money is counted: sums of prices are not exact. */
const least = 5e-7;

/** Why a call of the tool would go over a limit of the run; undefined where it would not. */
function overLimit({ limits, skill }: TaskRun, spent: Spent, tool: RunTool): Failure | undefined {
  const usd = (amount: number): string => `$${Number(amount.toFixed(6))}`;
  if (limits.costUsd !== null && spent.costUsd + tool.costUsd > limits.costUsd + least) {
    const detail = `${skill} may cost ${usd(limits.costUsd)} and has cost ${usd(spent.costUsd)}; ${tool.name} would cost ${usd(tool.costUsd)} more.`;
    return { code: "cost_limit", detail };
  }
  if (limits.tokens !== null && spent.tokens >= limits.tokens) {
    return { code: "token_limit", detail: `${skill} may use ${limits.tokens} tokens and has used ${spent.tokens}.` };
  }
  return undefined;
}

/** A call of a tool that is not known to read only, which began and whose end nobody saw. */
function isDoubtful({ kind, state, name }: JournalStep, run: TaskRun): boolean {
  const reads = run.tools.some((tool) => tool.name === name && tool.effect === "read");
  return kind === "tool" && !reads && (state === "started" || state === "unknown");
}

/** What may have happened is not repeated. */
async function unknownOutcome({ port, lease }: Running, step: JournalStep): Promise<Ending> {
  const detail = `Whether ${step.name} took effect is not known: its worker was lost while it ran. Look at its target before the task is tried again.`;
  const failure = { code: "outcome_unknown", detail };
  const ended = step.state === "unknown" || (await port.endStep(lease, step.id, { state: "unknown", failure }));
  return ended ? { kind: "failed", failure } : { kind: "lost" };
}

/** The result of `work`, unless the signal is aborted before: then its reason is thrown, and the result no longer matters. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) work.catch(() => undefined); // nobody waits for it any more
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function summaryOf(run: TaskRun, calls: readonly PlannedCall[]): string {
  const done = calls.map(({ tool, arguments: given }) => `${tool.name} looked up ${Object.values(given).join(", ")}`);
  const what =
    done.length > 0 ? `${done.join("; ")}.` : "The input supplied the arguments of none of the skill's tools, so nothing was looked up.";
  return `${what} No model was run, so ${run.skill} decided nothing and the fields of its output schema are not filled.`;
}
