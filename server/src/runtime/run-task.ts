import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { handOverTool } from "../kernel/handoff.ts";
import { schemaOfFormat } from "../kernel/reply-options.ts";
import { brokenOff, featuresOf, judgeAnswer, storable, textOf } from "./answer.ts";
import { commentsOf, newComments } from "./comments.ts";
import { confidenceIn } from "./confidence.ts";
import type { Ending, ToolTaken } from "./endings.ts";
import {
  canHandOver,
  handOverAsked,
  handOverAtLimit,
  handOverByMessage,
  handOverFaults,
  handOverIfUnsure,
} from "./hand-over.ts";
import { replayOf } from "./journal.ts";
import type { Loop, Running } from "./loop.ts";
import type { Failure, JournalStep, RunTool, SkillRun, StepSpec } from "./port.ts";
import { predictionsOf } from "./predictions.ts";
import { modelName } from "./specs.ts";
import { takeModelStep } from "./step-model.ts";
import { takeToolStep } from "./step-tool.ts";
import { holdsText } from "./taint.ts";
import { askTool, canAsk, faultTexts } from "./tools.ts";
import { argumentsOf, type CallOutcome, type CallPart, openingOf, repairOf, resultsOf, turnOf } from "./transcript.ts";
import type { Turn } from "./turn.ts";

/**
 * Runs a skill as an agent loop: model turn, tool calls, model turn …, until the model answers without calls. Each step is journalled before and after it
 * happens; one that an earlier, interrupted part of the run finished is not made again. Throws what `signal` was aborted with.
 */
export async function runTask(running: Running): Promise<Ending> {
  const { port, run } = running;
  if (run.doubt) return (await port.askDoubt(run.doubt)) ? { kind: "waiting" } : { kind: "lost" };
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
    read: new Set(),
    found: [],
  };
  if (run.direct) return runDirect({ ...loop, tainted: false }, run.direct);
  return handOverAtLimit(loop, (await handOverByMessage(loop)) ?? (await converse(loop)));
}

/** Turn and calls, until the model answers without calls. */
async function converse(loop: Loop): Promise<Ending> {
  const prompt = openingOf(loop.run);
  for (;;) {
    loop.signal.throwIfAborted();
    const said = await newComments(loop);
    if (said === null) return { kind: "lost" };
    if (said.length > 0) prompt.push(commentsOf(said));
    const taken = await takeModelStep(loop, prompt, said);
    if (taken.kind !== "turn") return taken;
    const more = await afterTurn(loop, prompt, taken.turn);
    if (more.kind !== "on") return more;
    prompt.push(...more.messages);
  }
}

/**
 * What a step of a workflow asks for needs no model: one call with the task's input, governed and journalled as those of models, or only the consent of people.
 * No text steers which call it is: the workflow says that, with its conditions and approvals.
 */
async function runDirect(loop: Loop, direct: NonNullable<SkillRun["direct"]>): Promise<Ending> {
  const completed = (output: Readonly<Record<string, unknown>>): Ending => ({
    kind: "completed",
    output,
    features: {},
    predictions: null,
  });
  if (direct === "nothing") return completed({ approved: true });
  const call: CallPart = {
    type: "tool-call",
    toolCallId: "call_1",
    toolName: direct.tool,
    input: JSON.stringify(loop.run.input),
  };
  const taken = await takeToolStep(loop, call);
  if (taken.kind === "for_caller") return { kind: "lost" };
  if (taken.kind !== "outcome") return taken;
  const { result } = taken.outcome;
  if ("error" in result) return { kind: "failed", failure: result.error };
  const answered = loop.run.tools.some(({ spec }) => spec.kind === "http") ? bodyOf(result.data) : result.data;
  return completed(isObject(answered) ? answered : { result: answered });
}

/** Of a service's answer what it says, without its status: that of a call which succeeded says nothing more. */
const bodyOf = (data: unknown): unknown => (isObject(data) && "body" in data ? data.body : data);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type After = Ending | { readonly kind: "on"; readonly messages: readonly LanguageModelV4Message[] };

/** What follows a turn: its calls, the end, or the one turn in which the model may put its answer right. The built-in one would answer the same again. */
async function afterTurn(loop: Loop, prompt: LanguageModelV4Prompt, turn: Turn): Promise<After> {
  const { run, repairing } = loop;
  const calls = turn.parts.filter((part): part is CallPart => part.type === "tool-call");
  if (calls.length > 0 && !turn.stopped) return makeCalls(loop, turn, calls);
  const name = modelName(run.model);
  const broken = turn.stopped ? undefined : brokenOff(turn, name);
  if (broken) return { kind: "failed", failure: broken };
  const format = run.chat?.options.format;
  if (run.chat && !format) {
    // Null: nothing of the text might be sent.
    const text = storable(saidIn(turn));
    return (await handOverIfUnsure(loop, text)) ?? replied(turn, text);
  }
  const judged = judgeAnswer(format ? schemaOfFormat(format) : run.briefing.output, turn);
  if (judged.ok && format) return tellFormatted(loop, turn, judged.output);
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
  const again = repairing ? ", also after the fault was reported to it" : "";
  const wanted = format ? "format that was asked for" : `output schema of ${run.skill}`;
  const detail = `The answer of ${name} does not fit the ${wanted}${again}: ${judged.faults.slice(0, 5).join("; ")}.`;
  return { kind: "failed", failure: { code: "output_invalid", detail } };
}

/** What a turn said in a conversation, as far as it was let out. */
const saidIn = (turn: Turn): string => (turn.told === undefined ? textOf(turn) : (turn.told ?? ""));

const replied = (turn: Turn, text: string): Ending => ({
  kind: "completed",
  output: { text },
  features: featuresOf(turn),
  predictions: null,
});

/** Lets an answer out that fits its format, whole. */
async function tellFormatted({ port, at: step }: Loop, turn: Turn, output: object): Promise<Ending> {
  const text = storable(JSON.stringify(output));
  const telling = await port.tell?.([
    { kind: "begin", step },
    { kind: "text", step, text },
    { kind: "end", step },
  ]);
  if (telling?.kind === "lost") return { kind: "lost" };
  if (telling?.kind === "blocked") return { kind: "blocked", failure: telling.failure };
  return replied(turn, telling?.text ?? text);
}

/** Makes the calls of a turn, one after the other, in their order; then hands those out that are for the caller. */
async function makeCalls(loop: Loop, turn: Turn, calls: readonly CallPart[]): Promise<After> {
  const outcomes: CallOutcome[] = [];
  const handed: ForCaller[] = [];
  for (const call of calls) {
    loop.signal.throwIfAborted();
    if (call.toolName === handOverTool && canHandOver(loop.run)) {
      const over = await takeHandOver(loop, call, storable(saidIn(turn)));
      if (over.kind !== "outcome") return over;
      outcomes.push(over.outcome);
      continue;
    }
    const isOwn = !isForCaller(loop, call);
    const tell = tellingOf(loop, call);
    if (isOwn && (await tell?.begun())?.kind === "lost") return { kind: "lost" };
    const taken = await takeToolStep(loop, call, isOwn ? undefined : barredBeside(loop, handed.length));
    if (taken.kind === "for_caller") handed.push(taken);
    else if (taken.kind !== "outcome") return taken;
    else {
      // A call for the caller that is not handed out is shown as one that failed.
      const isLate = !isOwn && "error" in taken.outcome.result;
      if (isLate && (await tell?.begun())?.kind === "lost") return { kind: "lost" };
      if ((await tell?.ended(taken.outcome))?.kind === "lost") return { kind: "lost" };
      outcomes.push(taken.outcome);
      if ("data" in taken.outcome.result) loop.found.push(taken.outcome.result.data);
    }
    loop.tainted = true;
  }
  if (handed.length > 0) return handToCaller(loop, handed);
  return { kind: "on", messages: [turnOf(turn.parts), resultsOf(outcomes)] };
}

type ForCaller = Extract<ToolTaken, { kind: "for_caller" }>;

const isForCaller = ({ run }: Loop, { toolName }: CallPart): boolean =>
  run.tools.some(({ name, spec }) => name === toolName && spec.kind === "caller");

/** Why a call for the caller is not handed out beside the others of its turn. */
function barredBeside({ run }: Loop, others: number): Failure | undefined {
  if (others === 0 || run.chat?.options.parallel_tool_calls !== false) return undefined;
  const detail =
    "It was not made: the caller takes one call at a time. Ask for it again once the first has its result.";
  return { code: "one_call_at_a_time", detail };
}

/** Shows the calls to the caller of the conversation, and waits for the results. */
async function handToCaller({ port }: Loop, handed: readonly ForCaller[]): Promise<Ending> {
  const telling = await port.tell?.(
    handed.map(({ call: { number: step, tool }, arguments: given }) => {
      return { kind: "call", step, tool, arguments: given, forCaller: true } as const;
    }),
  );
  if (telling?.kind === "lost") return { kind: "lost" };
  if (telling?.kind === "blocked") return { kind: "blocked", failure: telling.failure };
  return (await port.handCalls(handed.map(({ call }) => call))) ? { kind: "waiting" } : { kind: "lost" };
}

type Answered = Extract<ToolTaken, { kind: "outcome" }>;

/** The model hands the conversation over, which ends the run, or reads why it cannot. */
async function takeHandOver(loop: Loop, call: CallPart, said: string): Promise<Answered | Ending> {
  const outcome = (error: Failure): Answered => ({ kind: "outcome", outcome: { call, result: { error } } });
  const given = argumentsOf(call);
  const faults = faultTexts(handOverFaults(loop.run, given));
  if (faults.length === 0) {
    const handed = await handOverAsked(loop, given as { team: string; reason: string }, said);
    return handed.kind === "refused" ? outcome(handed.failure) : handed;
  }
  const failure = {
    code: "invalid_arguments",
    detail: `The arguments do not fit ${handOverTool}: ${faults.join("; ")}.`,
  };
  const step: StepSpec = { number: ++loop.at, kind: "tool", name: handOverTool, input: given };
  if (replayOf(loop, step)) return outcome(failure);
  return (await loop.port.refuseStep(step, failure)) ? outcome(failure) : { kind: "lost" };
}

/** Tells of the next step, which is a call; undefined: nobody follows. */
function tellingOf({ port: { tell }, at }: Loop, call: CallPart) {
  if (!tell) return undefined;
  const step = at + 1;
  return {
    begun: () => tell([{ kind: "call", step, tool: call.toolName, arguments: argumentsOf(call) }]),
    ended: ({ result }: CallOutcome) =>
      tell([
        "error" in result
          ? { kind: "failed", step, failure: result.error }
          : { kind: "answered", step, data: result.data },
      ]),
  };
}

/** A call that began, whose end nobody saw, and that must not simply be made again. Waiting for people is no such thing: the journal says so of it. */
function isDoubtful({ number, kind, state, name, edited = null }: JournalStep, run: SkillRun): boolean {
  if (kind !== "tool" || (state !== "started" && state !== "unknown")) return false;
  if ((name === askTool && canAsk(run)) || name === handOverTool) return false;
  // A run that was tried again after it no longer has the approval by which people had it made otherwise: it would be another call.
  if (edited !== null && number <= (run.stepsBefore ?? 0)) return true;
  // What is for the caller and still stands as begun was never handed out.
  const isKept = (tool: RunTool): boolean => tool.spec.kind === "caller" && state === "started";
  return !run.tools.some((tool) => tool.name === name && (tool.repeatable || isKept(tool)));
}
