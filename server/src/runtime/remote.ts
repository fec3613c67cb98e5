import type { Scope } from "../kernel/principal.ts";
import type { Outbound } from "../outbound/index.ts";
import type { CallRemote, RemoteOutcome } from "./loop.ts";
import type { Failure, RunTool, SkillRun } from "./port.ts";
import type { HttpSpec } from "./specs.ts";
import {
  callHttpTool,
  type HttpCredentials,
  type HttpToolResult,
  httpToolSchema,
  type OpenApiDescriptions,
  OpenApiError,
} from "./tools/http.ts";

export interface RemoteParts {
  /** The way out of an environment. */
  readonly outbound: (scope: Scope) => Outbound;
  readonly descriptions: OpenApiDescriptions;
}

/** Calls of tools that other services carry out. */
export interface Remote {
  callIn(scope: Scope): CallRemote;
  /** The tools with the arguments that their interfaces describe, or why one cannot be used. */
  describe(
    scope: Scope,
    tools: readonly RunTool[],
    signal: AbortSignal,
  ): Promise<{ readonly tools: readonly RunTool[] } | { readonly failure: Failure }>;
}

/** Calls tools through the guarded way out. */
export function createRemote({ outbound, descriptions }: RemoteParts): Remote {
  const described = async (scope: Scope, tool: RunTool, spec: HttpSpec, signal: AbortSignal): Promise<RunTool> => {
    const schema = await httpToolSchema(spec, { outbound: outbound(scope), descriptions, signal });
    return { ...tool, spec: { ...spec, arguments: schema as Readonly<Record<string, unknown>> } };
  };
  return {
    callIn:
      (scope) =>
      async (tool, begun, { signal }) => {
        if (tool.spec.kind !== "http") throw new TypeError(`${tool.name} is not called over HTTP`);
        const credentials = (begun.credentials ?? null) as HttpCredentials | null;
        const call = { outbound: outbound(scope), descriptions, signal, credentials, effect: begun.effect };
        return outcomeOf(await callHttpTool(tool.spec, begun.arguments, call));
      },
    async describe(scope, tools, signal) {
      try {
        return {
          tools: await Promise.all(
            tools.map((tool) => (needsDescription(tool.spec) ? described(scope, tool, tool.spec, signal) : tool)),
          ),
        };
      } catch (error) {
        if (!(error instanceof OpenApiError)) throw error;
        return { failure: { code: error.code, detail: error.message } };
      }
    },
  };
}

const needsDescription = (spec: SkillRun["tools"][number]["spec"]): spec is HttpSpec =>
  spec.kind === "http" && spec.openapi !== undefined && spec.arguments === undefined;

/** What a call came to, as the loop takes it. */
export function outcomeOf(result: HttpToolResult): RemoteOutcome {
  if (result.kind === "unknown_outcome")
    return { kind: "unknown", failure: result.failure, retryAfterMs: result.retryAfterMs };
  if (result.kind === "not_sent") return { kind: "failed", failure: result.failure };
  return result.failure
    ? { kind: "failed", failure: result.failure, retryAfterMs: result.retryAfterMs }
    : { kind: "answered", data: { status: result.status, body: result.output } };
}
