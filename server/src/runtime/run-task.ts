import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { brokenOff, featuresOf, judgeAnswer, storable, textOf } from "./answer.ts";
import { confidenceIn } from "./confidence.ts";
import type { Ending } from "./endings.ts";
import type { Loop, Running } from "./loop.ts";
import type { JournalStep, SkillRun } from "./port.ts";
import { predictionsOf } from "./predictions.ts";
import { modelName } from "./specs.ts";
import { takeModelStep } from "./step-model.ts";
import { takeToolStep } from "./step-tool.ts";
import { holdsText } from "./taint.ts";
import { askTool, canAsk } from "./tools.ts";
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
  };
  if (run.direct) return runDirect({ ...loop, tainted: false }, run.direct);
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

/**
 * What a step of a workflow asks for needs no model: one call with the task's input, governed and journalled as those of models, or only the consent of people.
 * No text steers which call it is: the workflow says that, with its conditions and approvals.
 */
async function runDirect(loop: Loop, direct: NonNullable<SkillRun["direct"]>): Promise<Ending> {
  const completed = (output: Readonly<Record<string, unknown>>): Ending => ({
    ...{ kind: "completed", output, features: {}, predictions: null },
  });
  if (direct === "nothing") return completed({ approved: true });
  const call: CallPart = {
    ...{ type: "tool-call", toolCallId: "call_1", toolName: direct.tool, input: JSON.stringify(loop.run.input) },
  };
  const taken = await takeToolStep(loop, call);
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
  if (calls.length > 0) return makeCalls(loop, turn, calls);
  const name = modelName(run.model);
  const broken = brokenOff(turn, name);
  if (broken) return { kind: "failed", failure: broken };
  if (run.chat) {
    // Null: nothing of the text might be told.
    const output = { text: storable(turn.told === undefined ? textOf(turn) : (turn.told ?? "")) };
    return { kind: "completed", output, features: featuresOf(turn), predictions: null };
  }
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
    const tell = tellingOf(loop, call);
    if ((await tell?.begun())?.kind === "lost") return { kind: "lost" };
    const taken = await takeToolStep(loop, call);
    if (taken.kind !== "outcome") return taken;
    if ((await tell?.ended(taken.outcome))?.kind === "lost") return { kind: "lost" };
    outcomes.push(taken.outcome);
    loop.tainted = true;
  }
  return { kind: "on", messages: [turnOf(turn.parts), resultsOf(outcomes)] };
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
  if (name === askTool && canAsk(run)) return false;
  // A run that was tried again after it no longer has the approval by which people had it made otherwise: it would be another call.
  if (edited !== null && number <= (run.stepsBefore ?? 0)) return true;
  return !run.tools.some((tool) => tool.name === name && tool.repeatable);
}
