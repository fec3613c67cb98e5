import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type BodyFault, compileUserSchema } from "@aos/json-schema";
import {
  foundNoAnswer,
  type HandoffCall,
  handOverTool,
  ruleForLimits,
  ruleForMessage,
  ruleForUnsure,
} from "../kernel/handoff.ts";
import type { Ending } from "./endings.ts";
import { replayOf } from "./journal.ts";
import type { Loop } from "./loop.ts";
import type { Failure, SkillRun, StepSpec } from "./port.ts";
import { orAborted } from "./signals.ts";

// The agent hands its conversation to a team of people: by its tool, or by a rule of its file. The service checks the team against the file once more.

interface Handing extends Pick<SkillRun, "tools"> {
  readonly chat?: SkillRun["chat"] | undefined;
  readonly handoff?: SkillRun["handoff"] | undefined;
}

/** Whether the model is offered the tool: in a conversation, with teams to choose from. */
export const canHandOver = ({ chat, handoff, tools }: Handing): boolean =>
  chat !== undefined && (handoff?.teams ?? []).length > 0 && tools.every(({ name }) => name !== handOverTool);

function schemaOf({ handoff }: Handing) {
  const teams = (handoff?.teams ?? []).map(({ team }) => team);
  return {
    type: "object",
    additionalProperties: false,
    required: ["team", "reason"],
    properties: {
      team: { type: "string", enum: teams },
      reason: { type: "string", minLength: 1, maxLength: 500, description: "Why, for the people who take over." },
    },
  } as const;
}

/** The tool as a model is offered it. */
export function handOverOffer(run: Handing): LanguageModelV4FunctionTool {
  const teams = (run.handoff?.teams ?? []).map((one) => `${one.team}: ${one.for}`).join("; ");
  const description =
    "Hands the conversation to a team of people, after which you do not answer. Use it where the user asks for a person or you cannot help. " +
    `Teams: ${teams}`;
  return { type: "function", name: handOverTool, description, inputSchema: schemaOf(run) as never };
}

/** What the arguments of the model's call break. */
export function handOverFaults(run: Handing, given: unknown): readonly BodyFault[] {
  const compiled = compileUserSchema(schemaOf(run));
  return compiled.ok ? compiled.validate(given) : compiled.faults;
}

/** `refused`: the run goes on without it. */
export type Handed = { readonly kind: "refused"; readonly failure: Failure } | Ending;

/** Hands over as the run's next step, and ends the run with the text for the user. */
export async function handOver(loop: Loop, call: HandoffCall, said = ""): Promise<Handed> {
  const { port, signal } = loop;
  const step: StepSpec = { number: ++loop.at, kind: "tool", name: handOverTool, input: call };
  const earlier = replayOf(loop, step);
  if (earlier?.kind === "failed") return { kind: "refused", failure: earlier.failure };
  if (earlier?.kind === "finished") return ended(loop, step, said, (earlier.output as { text: string }).text);
  const handed = await orAborted(signal, port.handOver(step, call));
  return handed.kind === "done" ? ended(loop, step, said, handed.text) : handed;
}

async function ended({ port }: Loop, { number: step }: StepSpec, said: string, text: string): Promise<Ending> {
  const telling = await port.tell?.([
    { kind: "begin", step },
    { kind: "text", step, text, plain: true },
    { kind: "end", step },
  ]);
  if (telling?.kind === "lost") return telling;
  // As it was let out: policies may have replaced something, or let nothing out.
  const shown = telling === undefined ? text : telling.kind === "told" ? (telling.text ?? "") : "";
  const output = { text: [said, shown].filter((part) => part.trim() !== "").join("\n\n") };
  return { kind: "completed", output, features: {}, predictions: null };
}

/** By what the user wrote, before a model is asked. Undefined: the agent answers. */
export async function handOverByMessage(loop: Loop): Promise<Ending | undefined> {
  const { chat, handoff } = loop.run;
  const call = chat && handoff && ruleForMessage(handoff, chat);
  return call && unlessRefused(await handOver(loop, call));
}

/** Once the agent has answered, where its searches were sure of no answer several times in a row. */
export async function handOverIfUnsure(loop: Loop, said: string): Promise<Ending | undefined> {
  const { chat, handoff } = loop.run;
  if (!chat || !handoff || !foundNoAnswer(loop.found)) return undefined;
  const call = ruleForUnsure(handoff, chat.unsureBefore ?? 0);
  return call && unlessRefused(await handOver(loop, call, said));
}

/** Where the run came to a limit, and the file has a rule for it. */
export async function handOverAtLimit(loop: Loop, ending: Ending): Promise<Ending> {
  const { chat, handoff } = loop.run;
  if (!chat || !handoff || (ending.kind !== "failed" && ending.kind !== "blocked")) return ending;
  const call = ruleForLimits(handoff, ending.failure.code);
  return (call && unlessRefused(await handOver(loop, call))) ?? ending;
}

const unlessRefused = (handed: Handed): Ending | undefined => (handed.kind === "refused" ? undefined : handed);

/** The hand-over that the model asked for: its arguments fit. */
export const handOverAsked = (loop: Loop, { team, reason }: { team: string; reason: string }, said: string) =>
  handOver(loop, { cause: "agent", team, reason }, said);
