import { firstOf } from "@aos/text";
import { afterAttempt, type EffectOutcome } from "../kernel/effect.ts";
import { overCall, overSteps } from "./bounds.ts";
import type { ToolTaken } from "./endings.ts";
import { editedOf, heldAt, keptAs, over, replayOf } from "./journal.ts";
import type { Loop, RemoteOutcome } from "./loop.ts";
import { readModelJson } from "./model-json.ts";
import type { BegunCall, CallForCaller, Edited, Failure, RunTool, SkillRun, StepSpec, ToolResult } from "./port.ts";
import { orAborted, pause } from "./signals.ts";
import { argumentFaults, askTool, callableTools, canAsk, faultTexts } from "./tools.ts";
import { argumentsOf, type CallOutcome, type CallPart } from "./transcript.ts";

interface Step {
  readonly call: CallPart;
  readonly step: StepSpec;
}

/** Makes a call that the model asked for, or takes its result from the journal. What it may not or cannot do is reported to the model, not done; so is `barred`. */
export async function takeToolStep(loop: Loop, call: CallPart, barred?: Failure): Promise<ToolTaken> {
  const { run } = loop;
  const step: StepSpec = { number: ++loop.at, kind: "tool", name: nameOf(call), input: argumentsOf(call) };
  const earlier = replayOf(loop, step);
  if (earlier?.kind === "finished") return told(call, { data: earlier.output, ...editedOf(earlier) });
  if (earlier?.kind === "failed") return failed(loop, { call, step }, earlier);
  const tooMany = overSteps(run, step.number);
  if (tooMany) return over(tooMany);
  if (call.toolName === askTool && canAsk(run)) return ask(loop, { call, step });
  const tool = callableTools(run).find(({ name }) => name === call.toolName);
  if (!tool) return refuse(loop, { call, step }, unknownTool(loop, step.name));
  if (barred) return refuse(loop, { call, step }, barred);
  const faults = faultsOf(step, tool, run);
  if (faults.length > 0) return refuse(loop, { call, step }, badArguments(tool.name, faults));
  const using = { tool: tool.name, model: null };
  const hold = loop.port.holdOf(using);
  if (hold !== "go") return heldAt(hold, using);
  const failure = overCall(run, loop.spent, tool);
  if (failure) return over(failure);
  return loop.watch.tool(run, tool, call, () => make(loop, { call, step }, tool, earlier?.kind === "again"));
}

const told = (call: CallPart, result: CallOutcome["result"]): ToolTaken => ({
  kind: "outcome",
  outcome: { call, result },
});

/** The tool's name as it is stored: what a model makes up may be long, and hold what no text of the database can. */
const nameOf = ({ toolName }: CallPart): string => firstOf(toolName, 64).toWellFormed().replaceAll("\0", "\uFFFD");

/** What a call's arguments break: what can be read of them the tool's schema (null: that of asking), what cannot the rules of JSON. */
function faultsOf(
  { input }: StepSpec,
  tool: RunTool | null,
  { briefing }: Pick<SkillRun, "briefing">,
): readonly string[] {
  const unread = typeof input === "string" ? readModelJson(input) : null;
  return unread && !unread.ok ? unread.faults : faultTexts(argumentFaults(tool, input, briefing));
}

function unknownTool({ run }: Loop, name: string): Failure {
  const names = callableTools(run).map((tool) => tool.name);
  return {
    code: "unknown_tool",
    detail: `${run.skill} has no tool ${name}; it has ${names.length > 0 ? names.join(", ") : "none"}.`,
  };
}

const badArguments = (tool: string, faults: readonly string[]): Failure => ({
  code: "invalid_arguments",
  detail: `The arguments do not fit ${tool}: ${faults.slice(0, 5).join("; ")}.`,
});

/** Nothing happens; the journal and the model say why. */
async function refuse({ port }: Loop, { call, step }: Step, failure: Failure): Promise<ToolTaken> {
  return (await port.refuseStep(step, failure)) ? told(call, { error: failure }) : { kind: "lost" };
}

/** The agent asks people: the run waits, and goes on with their answer as the call's result. */
async function ask(loop: Loop, { call, step }: Step): Promise<ToolTaken> {
  const faults = faultsOf(step, null, loop.run);
  if (faults.length > 0) return refuse(loop, { call, step }, badArguments(askTool, faults));
  const { question, options } = step.input as { question: string; options?: readonly string[] };
  return (await loop.port.ask(step, { text: question, options: options ?? null }))
    ? { kind: "waiting" }
    : { kind: "lost" };
}

async function make(loop: Loop, { call, step }: Step, tool: RunTool, again: boolean): Promise<ToolTaken> {
  const { port, signal, progress, tainted } = loop;
  const given = step.input as Readonly<Record<string, unknown>>;
  progress.tool = tool.name;
  try {
    const result = await orAborted(
      signal,
      port.callTool({ number: step.number, tool: tool.name, arguments: given, again, tainted }),
    );
    if ("costUsd" in result) loop.spent.costUsd += result.costUsd;
    if (result.kind === "sent_back") return refuse(loop, { call, step }, result.failure);
    if (result.kind === "for_caller") return forCaller(step, result);
    return result.kind === "begun"
      ? await remote(loop, { call, step }, tool, result)
      : settle(loop, { call, step }, result);
  } finally {
    if (!signal.aborted) progress.tool = null; // who breaks the run off wants to know what it was in
  }
}

const forCaller = ({ number, name }: StepSpec, { id, redact, arguments: given }: CallForCaller): ToolTaken => ({
  kind: "for_caller",
  call: { step_id: id, number, tool: name, redact },
  arguments: given,
});

/** What a call that the service made itself, or did not make, comes to. */
function settle(
  loop: Loop,
  { call, step }: Step,
  result: Exclude<ToolResult, BegunCall | CallForCaller | { kind: "sent_back" }>,
): ToolTaken {
  switch (result.kind) {
    case "output":
      return told(call, { data: result.output, ...editedOf(result) });
    case "failed":
      return failed(loop, { call, step }, result);
    case "waits":
      return { kind: "waiting" };
    default:
      return keptAs(result, { tool: call.toolName, model: null });
  }
}

/** Why calls fail that the service itself makes, or could not have made by others. */
const ownFailures: ReadonlySet<string> = new Set(["record_not_found", "connection_missing"]);

/** A failed call is reported to the model. A record that the task itself is about and that is not there ends the run, and so does a connection that such a call lacks. */
function failed(
  loop: Loop,
  { call, step }: Step,
  { failure, edited = null }: Edited & { readonly failure: Failure },
): ToolTaken {
  if (!edited && ownFailures.has(failure.code) && isAbout(loop, step.input as object)) return over(failure);
  return told(call, { error: failure, ...editedOf({ edited }) });
}

/** Whether a call's arguments are all taken from the input as they are. */
function isAbout({ run }: Loop, given: object): boolean {
  const values = Object.values(run.input);
  return Object.values(given).every((value) => values.includes(value));
}

/** Waits before a call is sent again whose outcome is not known and whose receiver knows it by its key, in milliseconds. */
const sentAgainAfterMs = [500, 4_000] as const;
/** Where its receiver asks for a longer wait than this, in milliseconds, people are asked at once: the run's time is not spent on waiting. */
const longestWaitMs = 20_000;
/** How long a call may take, in milliseconds: it is sent again only where the run has that long, so that people are asked and the task does not run out of time. */
const longestCallMs = 30_000;

/** What an answer says of a write, after what was known of it before. */
function known(before: EffectOutcome, outcome: RemoteOutcome): RemoteOutcome {
  if (outcome.kind === "answered") return outcome;
  const isOpen = afterAttempt(before, outcome.kind === "unknown" ? "unknown" : "refused") === "unknown";
  return { ...outcome, kind: isOpen ? "unknown" : "failed" };
}

/** Has a call made, some times with the same key if need be. */
async function send(loop: Loop, tool: RunTool, begun: BegunCall): Promise<RemoteOutcome> {
  const { signal, callRemote, port, endsAt } = loop;
  const once = () => orAborted(signal, callRemote(tool, begun, { signal }));
  const { effect } = begun;
  if (effect === null) return once();
  let outcome = known(effect.before, await once());
  if (!tool.repeatable) return outcome;
  for (const usual of sentAgainAfterMs) {
    const wait = Math.max(usual, outcome.kind === "unknown" ? (outcome.retryAfterMs ?? 0) : 0);
    if (outcome.kind !== "unknown" || wait > longestWaitMs || performance.now() + wait + longestCallMs > endsAt) break;
    await (loop.pause ?? pause)(signal, wait);
    if (port.holdOf({ tool: tool.name, model: null }) !== "go") break;
    outcome = known("unknown", await once());
  }
  return outcome;
}

async function remote(loop: Loop, { call, step }: Step, tool: RunTool, begun: BegunCall): Promise<ToolTaken> {
  const { port } = loop;
  const outcome = await send(loop, tool, begun);
  if (outcome.kind === "answered") {
    const ended = await port.endStep(begun.id, { state: "finished", output: outcome.data });
    return ended ? told(call, { data: ended.output, ...editedOf(begun) }) : { kind: "lost" };
  }
  const inDoubt = outcome.kind === "unknown" && tool.effect === "write";
  const said = outcome.failure;
  const ended = await port.endStep(begun.id, { state: inDoubt ? "unknown" : "failed", failure: said });
  if (!ended) return { kind: "lost" };
  const failure = ended.failure ?? said;
  if (!inDoubt) return told(call, { error: failure, ...editedOf(begun) });
  const asked = await port.askOutcome({ ...step, id: begun.id, state: "unknown", output: null, failure });
  return asked ? { kind: "waiting" } : { kind: "lost" };
}
