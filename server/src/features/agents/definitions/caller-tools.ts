import { compileUserSchema } from "@aos/json-schema";
import type { Fault } from "../../../kernel/errors.ts";
import { fitsToolRule, type OfferedTool, type ReplyOptions, reservedTools } from "../../../kernel/reply-options.ts";
import type { AgentDefinition, CallerTool } from "../schemas.ts";

// What callers of a conversation may bring, by the version that answers.

type Version = Pick<AgentDefinition, "callers" | "tools" | "model">;

const anyArguments = Object.freeze({ type: "object" });

/** The caller's tools that a version lets its model call now. A name that the agent or the service has is never among them. */
export function callerTools(
  { callers, tools, model }: Version,
  { tools: offered = [], tool_choice }: ReplyOptions,
): CallerTool[] {
  if (model.provider === "builtin" || tool_choice === "none") return [];
  const taken = new Set([...reservedTools, ...tools.map(({ name }) => name)]);
  return offered.flatMap(({ name, description, parameters }) => {
    const rule = callers?.tools?.find(({ tool }) => fitsToolRule(tool, name));
    if (!rule || taken.has(name)) return [];
    taken.add(name);
    const { effect, impact } = rule;
    return {
      kind: "caller" as const,
      name,
      effect,
      arguments: parameters ?? anyArguments,
      ...(description !== undefined && { description }),
      ...(impact && { impact }),
    };
  });
}

/** Why a version does not take what a caller asks for. Pointers lead into the options. */
export function optionFaults(version: Version, options: ReplyOptions): Fault[] {
  return [
    ...formatFaults(version, options),
    ...imageFaults(version, options),
    ...toolFaults(version, options),
    ...choiceFaults(options),
  ];
}

const allow = (member: string) => `allow it in the agent's file (\`callers.${member}\`), or leave it out`;

function formatFaults({ callers }: Version, { format }: ReplyOptions): Fault[] {
  if (!format) return [];
  if (callers?.formats !== true)
    return [
      {
        pointer: "/format",
        code: "not_allowed",
        detail: `is refused: this agent answers in text alone; ${allow("formats")}`,
      },
    ];
  return format.type === "json_schema" ? schemaFaults(format.schema, "/format/schema") : [];
}

function imageFaults({ callers, model }: Version, { images }: ReplyOptions): Fault[] {
  const refused = (detail: string): Fault[] => [{ pointer: "/images", code: "not_allowed", detail }];
  if (!images) return [];
  if (callers?.images !== true) return refused(`is refused: this agent takes no images; ${allow("images")}`);
  return model.provider === "builtin"
    ? refused(
        "is refused: the built-in model cannot see; describe the image in words, or give the agent a provider's model",
      )
    : [];
}

function schemaFaults(schema: unknown, pointer: string): Fault[] {
  const compiled = compileUserSchema(schema);
  return compiled.ok ? [] : compiled.faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

function toolFaults(version: Version, { tools: offered = [] }: ReplyOptions): Fault[] {
  if (offered.length === 0) return [];
  if (!version.callers?.tools?.length)
    return [
      {
        pointer: "/tools",
        code: "not_allowed",
        detail: `is refused: this agent has the tools of its version; ${allow("tools")}`,
      },
    ];
  if (version.model.provider === "builtin")
    return [
      {
        pointer: "/tools",
        code: "not_allowed",
        detail: "is refused: the built-in model calls no functions of callers; give the agent a provider's model",
      },
    ];
  const names = new Set<string>();
  return offered.flatMap((tool, at) => offerFaults(version, tool, `/tools/${at}`, names));
}

function offerFaults({ callers, tools }: Version, tool: OfferedTool, pointer: string, names: Set<string>): Fault[] {
  const { name, parameters } = tool;
  const wrong = (code: string, detail: string): Fault[] => [{ pointer: `${pointer}/name`, code, detail }];
  if (names.has(name)) return wrong("duplicate", `names ${name} a second time; send each function once`);
  names.add(name);
  if (reservedTools.has(name) || tools.some((own) => own.name === name))
    return wrong("name_taken", `is taken: ${name} is a tool of the agent itself; give the function another name`);
  if (!callers?.tools?.some((rule) => fitsToolRule(rule.tool, name)))
    return wrong(
      "not_allowed",
      `is refused: no rule of the agent's file lets callers bring ${name}; ${allow("tools")}`,
    );
  return parameters === undefined ? [] : schemaFaults(parameters, `${pointer}/parameters`);
}

function choiceFaults({ tools = [], tool_choice: choice }: ReplyOptions): Fault[] {
  const pointer = "/tool_choice";
  if (choice === "required" && tools.length === 0)
    return [{ pointer, code: "invalid_value", detail: "needs `tools`: there is none that could be called" }];
  if (typeof choice !== "object" || tools.some(({ name }) => name === choice.name)) return [];
  return [{ pointer, code: "unknown_tool", detail: `names none of the functions in \`tools\`: ${choice.name}` }];
}
