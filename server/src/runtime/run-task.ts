import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { brokenOff, featuresOf, judgeAnswer } from "./answer.ts";
import type { CostOf, Spent } from "./bounds.ts";
import { confidenceIn } from "./confidence.ts";
import type {
  AnswerFeatures,
  BegunCall,
  Failure,
  JournalStep,
  LoopPort,
  Predictions,
  RunTool,
  SkillRun,
} from "./port.ts";
import { predictionsOf } from "./predictions.ts";
import { modelName } from "./specs.ts";
import { takeModelStep } from "./step-model.ts";
import { takeToolStep } from "./step-tool.ts";
import { holdsText } from "./taint.ts";
import { askTool, canAsk } from "./tools.ts";
import { type CallPart, openingOf, repairOf, resultsOf, turnOf } from "./transcript.ts";
import type { Turn } from "./turn.ts";
import type { RunWatch } from "./watch.ts";

/** How a run ended; `lost`: the lease is gone, and nothing that this worker could still write would count. */
export type Ending =
  | {
      readonly kind: "completed";
      readonly output: Readonly<Record<string, unknown>>;
      readonly features: AnswerFeatures;
      readonly predictions: Predictions | null;
    }
  | Unfinished;

export type Unfinished =
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "blocked"; readonly failure: Failure }
  /** Another worker goes on with it; where `seconds` says so, only so much later. */
  | { readonly kind: "given_back"; readonly seconds?: number }
  /** A stop or pause stands against going on, with this tool or model. */
  | { readonly kind: "held"; readonly tool: string | null; readonly model: string | null }
  /** People were asked, and the lease was given up. */
  | { readonly kind: "waiting" }
  | { readonly kind: "lost" };

/** Where a run is at this moment, for who watches it. */
export interface RunProgress {
  /** The tool that is being called; null: none. */
  tool: string | null;
  /** The model that is being asked; null: none. */
  model: string | null;
}

/**
 * Makes a call that the service does not make itself. `unknown`: it may have taken effect. `data` is what the tool answered; `failed`: it did not do what
 * it was asked to.
 */
export type RemoteOutcome =
  | { readonly kind: "answered"; readonly data: unknown }
  | (Refused & { readonly kind: "failed" })
  | (Refused & { readonly kind: "unknown" });
interface Refused {
  readonly failure: Failure;
  /** How long its receiver asks to wait before it is made again, in milliseconds; null: it did not say. */
  readonly retryAfterMs?: number | null;
}
export type CallRemote = (
  tool: RunTool,
  begun: BegunCall,
  given: { readonly stepKey: string; readonly signal: AbortSignal },
) => Promise<RemoteOutcome>;

export interface Running {
  readonly port: LoopPort;
  readonly run: SkillRun;
  readonly model: LanguageModelV4;
  readonly costOf: CostOf;
  readonly callRemote: CallRemote;
  /** Aborted when the task was cancelled, its time is over or the process stops; with the reason. */
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
  /** Takes faults of ours that end a run as `model_failed`. */
  readonly report: (error: unknown) => void;
  readonly watch: RunWatch;
  /** Given to models that can repeat an answer, in place of what the version says; undefined: that counts. */
  readonly seed?: number;
}

/** A run under way. */
export interface Loop extends Running {
  /** The position of the latest step. */
  at: number;
  readonly spent: Spent;
  /** What an earlier part of this run left, by position, and the last position of it. */
  readonly earlier: ReadonlyMap<number, JournalStep>;
  readonly last: number;
  /** Whether the model has read text that could steer it. */
  tainted: boolean;
  /** When its time is over, by `performance.now()`. */
  readonly endsAt: number;
  /** The model was told that its answer does not fit; it is told once. */
  repairing: boolean;
  /** Which further answer to the same prompt is asked for, only to see whether it agrees; 0: none. */
  sample: number;
}

/**
 * Runs a skill as an agent loop: model turn, tool calls, model turn …, until the model answers without calls. Each step is journalled before and after it
 * happens; one that an earlier, interrupted part of the run finished is not made again. Throws what `signal` was aborted with.
 */
export async function runTask(running: Running): Promise<Ending> {
  const { port, run } = running;
  const steps = run.resumed ? await port.journal() : [];
  if (steps === null) return { kind: "lost" };
  const doubtful = steps.find((step) => isDoubtful(step, run));
  if (doubtful) return (await port.askOutcome(doubtful)) ? { kind: "waiting" } : { kind: "lost" };
  const loop: Loop = {
    ...running,
    at: 0,
    spent: { tokens: run.spent.tokens, costUsd: run.spent.costUsd },
    earlier: new Map(steps.map((step) => [step.number, step])),
    last: Math.max(0, ...steps.map(({ number }) => number)),
    tainted: holdsText(run.input, run.briefing.input),
    endsAt: performance.now() + run.limits.seconds * 1000 - run.spent.ms,
    repairing: false,
    sample: 0,
  };
  const prompt = openingOf(run);
  for (;;) {
    running.signal.throwIfAborted();
    const taken = await takeModelStep(loop, prompt);
    if (taken.kind !== "turn") return taken;
    const more = await afterTurn(loop, prompt, taken.turn);
    if (more.kind !== "on") return more;
    prompt.push(...more.messages);
  }
}

type After = Ending | { readonly kind: "on"; readonly messages: readonly LanguageModelV4Message[] };

/** What follows a turn: its calls, the end, or the one turn in which the model may put its answer right. The built-in one would answer the same again. */
async function afterTurn(loop: Loop, prompt: LanguageModelV4Prompt, turn: Turn): Promise<After> {
  const { run, repairing } = loop;
  const calls = turn.parts.filter((part): part is CallPart => part.type === "tool-call");
  if (calls.length > 0) return makeCalls(loop, turn, calls);
  const name = modelName(run.model);
  const broken = brokenOff(turn, name);
  if (broken) return { kind: "failed", failure: broken };
  const judged = judgeAnswer(run.briefing.output, turn);
  if (judged.ok) {
    const { output } = judged;
    const confidence = await confidenceIn(loop, prompt, output);
    if (confidence === "lost") return { kind: "lost" };
    const features = { ...featuresOf(turn), ...confidence.features };
    return { kind: "completed", output, features, predictions: predictionsOf(turn, output) };
  }
  if (!repairing && run.model.provider !== "builtin") {
    loop.repairing = true;
    return { kind: "on", messages: [turnOf(turn.parts), repairOf(judged.faults)] };
  }
  const again = repairing ? ", also after it was told so" : "";
  const detail = `The answer of ${name} does not fit the output schema of ${run.skill}${again}: ${judged.faults.slice(0, 5).join("; ")}.`;
  return { kind: "failed", failure: { code: "output_invalid", detail } };
}

/** Makes the calls of a turn, one after the other, in their order. */
async function makeCalls(loop: Loop, turn: Turn, calls: readonly CallPart[]): Promise<After> {
  const outcomes = [];
  for (const call of calls) {
    loop.signal.throwIfAborted();
    const taken = await takeToolStep(loop, call);
    if (taken.kind !== "outcome") return taken;
    outcomes.push(taken.outcome);
    loop.tainted = true;
  }
  return { kind: "on", messages: [turnOf(turn.parts), resultsOf(outcomes)] };
}

/** A call that began, whose end nobody saw, and that must not simply be made again. Waiting for people is no such thing: the journal says so of it. */
function isDoubtful({ number, kind, state, name, edited = null }: JournalStep, run: SkillRun): boolean {
  if (kind !== "tool" || (state !== "started" && state !== "unknown")) return false;
  if (name === askTool && canAsk(run)) return false;
  // A run that was tried again after it no longer has the approval by which people had it made otherwise: it would be another call.
  if (edited !== null && number <= (run.stepsBefore ?? 0)) return true;
  return !run.tools.some((tool) => tool.name === name && tool.repeatable);
}
