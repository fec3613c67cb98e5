import type { Clock } from "../kernel/clock.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Tracer } from "../kernel/tracing.ts";
import { createOutbound, type Outbound } from "../outbound/index.ts";
import {
  callHttpTool,
  createOpenApiDescriptions,
  type HttpCredentials,
  type HttpTool,
  type HttpToolFailure,
  prepared,
} from "./tools/http.ts";
import type { FilledRequest } from "./tools/http-body.ts";

// Calls of tools outside of runs, for people who try them.

export interface ToolPortParts {
  readonly clock: Clock;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** What a connection adds to requests; null: there is none of that name. */
  readonly credentials: (scope: Scope, connection: string) => Promise<HttpCredentials | null>;
}

/** The request of a call, with words in place of secrets, and what came of it where it was sent. */
export type TriedRequest =
  | { readonly failure: HttpToolFailure; readonly request: null }
  | {
      readonly request: FilledRequest;
      readonly outcome: { readonly output: unknown } | { readonly failure: HttpToolFailure } | null;
    };

/** Tries at a time in one process: each holds a connection to the database while it waits for others. */
const mostAtATime = 3;
const mostMs = 15_000;

/** Renders requests of http tools, and sends those of reading ones through the guarded way out. */
export function createToolPort({ credentials, clock, ...parts }: ToolPortParts) {
  let running = 0;
  const descriptions = createOpenApiDescriptions({ clock });
  const attempt = async (
    scope: Scope,
    { tool, connection, args, send, signal }: Tried,
    outbound: Outbound,
  ): Promise<TriedRequest> => {
    const sources = { outbound, descriptions, signal };
    const request = await prepared(tool, args, sources);
    if ("kind" in request) return { request: null, failure: failureOf(request) };
    const added = connection === null ? null : await credentials(scope, connection);
    if (connection !== null && added === null) {
      const detail = `${scope.environment} has no connection \`${connection}\`.`;
      return {
        request: shown(request, tool, connection, null),
        outcome: { failure: { code: "connection_missing", detail } },
      };
    }
    const rendered = shown(request, tool, connection, added);
    if (!send || tool.effect !== "read") return { request: rendered, outcome: null };
    const call = { ...sources, credentials: added, effect: null, timeoutMs: mostMs };
    const result = await callHttpTool(tool, args, call);
    if (result.kind !== "answered" || result.failure)
      return { request: rendered, outcome: { failure: failureOf(result) } };
    return { request: rendered, outcome: { output: result.output } };
  };
  return {
    /** Null: too many tries are running. */
    async attempt(scope: Scope, tried: Tried): Promise<TriedRequest | null> {
      if (running >= mostAtATime) return null;
      running++;
      const outbound = createOutbound({ environment: scope.environment, allow: parts.outboundAllow, ...parts });
      try {
        return await attempt(scope, tried, outbound);
      } finally {
        running--;
        await outbound.close();
      }
    },
  };
}

interface Tried {
  readonly tool: HttpTool;
  readonly connection: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether a reading tool is called; false: its request is rendered alone. */
  readonly send: boolean;
  readonly signal: AbortSignal;
}

const failureOf = (result: { readonly failure: HttpToolFailure | null }): HttpToolFailure =>
  result.failure ?? { code: "failed", detail: "The call failed." };

/** A request as people see it: what the connection adds stands there by name alone. */
function shown(
  request: FilledRequest,
  { idempotency }: HttpTool,
  connection: string | null,
  added: HttpCredentials | null,
): FilledRequest {
  const secret = Object.keys(added?.headers ?? {}).map((name) => [
    name.toLowerCase(),
    `(of the connection ${connection})`,
  ]);
  const key = idempotency ? [[idempotency.header.toLowerCase(), "(the key of the step)"]] : [];
  return { ...request, headers: { ...request.headers, ...Object.fromEntries([...key, ...secret]) } };
}
