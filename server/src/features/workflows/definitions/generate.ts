import { type Schema, stepTypes, type WorkflowDefinition } from "@aos/workflow";
import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { connectionPort, type OpenConnection } from "../../admin/public.ts";
import { agentsSeen, findKnownAgent } from "../../agents/public.ts";
import { findingsOfDraft } from "./checks.ts";
import type { Finding } from "./schemas.ts";
import type { TemplateAgent } from "./templates.ts";

type AgentsContext = Pick<CallContext, "facts" | "scope" | "principal">;

/** Skills and writing tools of agents that are deployed here and visible to the caller. */
export function agentsHere(ctx: AgentsContext): readonly TemplateAgent[] {
  return agentsSeen(ctx).flatMap((agent) => {
    const definition = findKnownAgent(ctx, agent)?.live?.definition;
    if (!definition) return [];
    const writes = definition.tools.flatMap((tool) =>
      tool.effect === "write"
        ? [{ name: tool.name, arguments: "arguments" in tool ? (tool.arguments as Schema) : undefined }]
        : [],
    );
    return definition.skills.map(
      ({ name: skill, input, output, title = "" }): TemplateAgent => ({
        agent,
        skill,
        writes,
        description: `${definition.description} ${title}`,
        input: input as Schema,
        output: output as Schema | undefined,
      }),
    );
  });
}

export interface WritingModel {
  readonly connection: string;
  readonly name: string;
}

/** The provider's model of an agent that is deployed here. */
export function modelHere(ctx: AgentsContext): WritingModel | undefined {
  for (const agent of agentsSeen(ctx)) {
    const model = findKnownAgent(ctx, agent)?.live?.definition.model;
    if (model && model.provider !== "builtin" && "connection" in model && model.connection !== undefined)
      return { connection: model.connection, name: model.name };
  }
  return undefined;
}

/** A name made of the first words of a description. */
export function nameOf(description: string): string {
  const words = description.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words
    .filter((word) => word.length > 2)
    .slice(0, 4)
    .join("_")
    .slice(0, 48);
  return /^[a-z]/.test(name) ? name : "generated";
}

function systemPrompt(agents: readonly TemplateAgent[]): string {
  const kinds = stepTypes().map(({ title, description, example }) => `${title}: ${description}\n${example}`);
  const known = agents
    .slice(0, 40)
    .map(({ agent, skill, input, output, description, writes }) =>
      JSON.stringify({ agent, skill, description: description.slice(0, 300), input, output, write_tools: writes }),
    );
  return [
    "You write workflows as YAML files. Answer with the file alone: no explanation, no code fence.",
    "A file has `workflow` (its name), `description`, `input` (JSON Schema), optional `triggers`, `steps`, optional `output` and `limits`.",
    "Texts under input, arguments, set, when, in, title, reason and output are expressions in CEL over `input`, `steps.<id>.output`, `steps.<id>.trust_low`; a text constant stands in quotation marks of its own: \"'text'\". Numbers are doubles, those of `type: integer` ints: an index and `%` take ints only. Read what may be absent with has(). A step needs the one above it unless `needs` says otherwise. People approve (`approval`) before anything that writes, unless the description says otherwise; what writes has `compensate` where a tool can undo it.",
    `Kinds of steps:\n${kinds.join("\n")}`,
    `Agents, their skills and tools that write. Use only these:\n${known.join("\n") || "none"}`,
  ].join("\n\n");
}

const userPrompt = (description: string, name: string): string => `Name: ${name}\nWhat it is to do: ${description}`;

const repairPrompt = (source: string, findings: readonly Finding[]): string =>
  `This file has faults. Answer with the whole corrected file.\n\n${source}\n\nFaults:\n${findings
    .slice(0, 20)
    .map(({ pointer, detail, line }) => `- ${line === undefined ? pointer : `line ${line}`}: ${detail}`)
    .join("\n")}`;

/** The file in an answer, without the fence that models like to add. */
export function fileIn(answer: string): string {
  const [, fenced] = /```(?:ya?ml|json)?\s*\n([\s\S]*?)```/.exec(answer) ?? [];
  return `${(fenced ?? answer).trim()}\n`;
}

export interface Wish {
  readonly description: string;
  readonly name: string;
  readonly agents: readonly TemplateAgent[];
  readonly model: string;
}

interface WrittenDraft {
  readonly source: string;
  readonly definition: WorkflowDefinition | null;
  readonly findings: readonly Finding[];
  readonly tokens: number;
  readonly usd: number | null;
  readonly failure: string | null;
}

/** A draft written by a model, corrected once by its findings. Null: too many requests at the moment. */
export async function writeDraft(
  ctx: CallContext & { readonly db: Reader },
  connection: OpenConnection,
  { description, name, agents, model }: Wish,
): Promise<WrittenDraft | null> {
  const system = systemPrompt(agents);
  let user = userPrompt(description, name);
  let draft: WrittenDraft = { source: "", definition: null, findings: [], tokens: 0, usd: 0, failure: null };
  for (let round = 0; round < 2; round++) {
    const answer = await ctx.port(connectionPort).ask(ctx.scope, connection, { model, system, user }, ctx.signal);
    if (answer === null) return round === 0 ? null : draft;
    if (!("text" in answer)) return round === 0 ? { ...draft, failure: answer.code ?? "no answer" } : draft;
    const source = fileIn(answer.text);
    const { definition, findings } = await findingsOfDraft(ctx, source);
    const usd = draft.usd === null || answer.usd === null ? null : draft.usd + answer.usd;
    draft = { source, definition, findings, tokens: draft.tokens + answer.tokens, usd, failure: null };
    const faults = findings.filter(({ severity }) => severity === "error");
    if (faults.length === 0) return draft;
    user = repairPrompt(source, faults);
  }
  return draft;
}
