import { type BodyFault, compileUserSchema, type JsonSchema } from "@aos/json-schema";
import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { invalidBody, overloaded } from "../../kernel/problems.ts";
import type { RunnableTool } from "../agents/schemas.ts";
import { findData } from "../runs/public.ts";
import type { ToolPort, TriedRequest } from "./ports.ts";
import type { ShownDefinition } from "./shown-definition.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Outcome = { readonly output: unknown } | { readonly failure: { readonly code: string; readonly detail: string } };
/** What a try came to; `outcome` null: it was not called. */
export type Tried = TriedRequest | { readonly request: null; readonly outcome: Outcome | null };

const closed = { type: "object", additionalProperties: false } as const;
const text = { type: "string", minLength: 1, maxLength: 1000 } as const;
const searching = {
  ...closed,
  required: ["query"],
  properties: { query: text, limit: { type: "integer", minimum: 1, maximum: 20 } },
} as const;
const oneText = { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: text } as const;

/** Makes a call as a run would, or only renders its request. Throws `invalid_body` where the arguments do not fit what the service itself looks up. */
export async function tryCall(
  port: ToolPort,
  ctx: WriteContext,
  { agent, definition }: ShownDefinition,
  { tool, args, send }: { tool: RunnableTool; args: Arguments; send: boolean },
): Promise<Tried> {
  if (tool.kind === "http") {
    const tried = await port.attempt(ctx.scope, {
      tool,
      connection: tool.connection ?? null,
      args,
      send,
      signal: ctx.signal,
    });
    if (tried) return tried;
    throw refuse(overloaded, "Too many tools are being tried; try again in a few seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  refuseFaults((tool.arguments ?? (tool.kind === "search" ? searching : oneText)) as JsonSchema, args);
  if (!send) return { request: null, outcome: null };
  return {
    request: null,
    outcome: await findData(ctx, agent.name, tool, definition, { arguments: args, shown: args }),
  };
}

function refuseFaults(schema: JsonSchema, args: Arguments): void {
  const compiled = compileUserSchema(schema);
  const faults: readonly BodyFault[] = compiled.ok ? compiled.validate(args) : compiled.faults;
  const [first] = faults;
  if (!first) return;
  const errors = faults.map((fault) => ({ ...fault, pointer: `/arguments${fault.pointer}` }));
  throw refuse(invalidBody, `/arguments${first.pointer}: ${first.detail}`, { errors });
}
