import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimit } from "../../kernel/body-bounds.ts";
import type { NewId } from "../../kernel/ids.ts";
import type { Method, Operation } from "../../kernel/operation.ts";
import { membersOf } from "../../kernel/stored-json.ts";
import type { Answer, Credential } from "../../pipeline/call.ts";
import type { Pipeline } from "../../pipeline/run.ts";
import { callOf } from "../incoming-call.ts";
import type { OpenCalls } from "../open-calls.ts";
import { runAgent } from "./ag-ui/handlers.ts";
import { type ProtocolRequest, startAddress } from "./exchange.ts";
import { createCompletion } from "./openai/completions.ts";
import { openAiError } from "./openai/errors.ts";
import { listModels, readModel } from "./openai/model.ts";
import { cancelResponse, createResponse, readResponse } from "./openai/responses.ts";
import { RetriedCalls } from "./retried-calls.ts";
import { operationsByAddress, RefusedCall, ServiceCalls } from "./service-calls.ts";
import { resumeUiStream, streamUiMessage } from "./ui/handlers.ts";

// Interfaces of others. They translate to calls of our own operations and keep nothing.

interface ProtocolRoute {
  readonly method: Method;
  /** In the form `/v1/models/:model`. */
  readonly url: string;
  readonly handle: (request: ProtocolRequest) => Promise<Answer>;
  /** Headers that its clients send in browsers. */
  readonly sendable: readonly string[];
  /** How a refusal is written; default: as the problem that it is. */
  readonly refused?: (problem: Answer) => Answer;
}

const openAi = {
  sendable: [
    "OpenAI-Organization",
    "OpenAI-Project",
    "X-Stainless-Arch",
    "X-Stainless-Helper-Method",
    "X-Stainless-Lang",
    "X-Stainless-OS",
    "X-Stainless-Package-Version",
    "X-Stainless-Retry-Count",
    "X-Stainless-Runtime",
    "X-Stainless-Runtime-Version",
    "X-Stainless-Timeout",
  ],
  refused: openAiError,
};
const others = { sendable: ["User-Agent"] };

export const protocolRoutes: readonly ProtocolRoute[] = [
  { method: "POST", url: "/v1/chat/completions", handle: createCompletion, ...openAi },
  { method: "POST", url: "/v1/responses", handle: createResponse, ...openAi },
  { method: "GET", url: "/v1/responses/:response", handle: readResponse, ...openAi },
  { method: "POST", url: "/v1/responses/:response/cancel", handle: cancelResponse, ...openAi },
  { method: "GET", url: "/v1/models", handle: listModels, ...openAi },
  { method: "GET", url: "/v1/models/:model", handle: readModel, ...openAi },
  { method: "POST", url: "/v1/chat/ui/:agent", handle: streamUiMessage, ...others },
  { method: "GET", url: "/v1/chat/ui/:agent/:id/stream", handle: resumeUiStream, ...others },
  { method: "POST", url: "/v1/chat/ag-ui/:agent", handle: runAgent, ...others },
];

export interface ProtocolParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly newId: NewId;
  readonly open: OpenCalls;
  /** Sends an answer, of events or whole. */
  readonly send: (reply: FastifyReply, answer: Answer, signal: () => AbortSignal, requestId: string) => Promise<void>;
  /** Headers that say which pages may read an answer. */
  readonly readers: (credential: Credential) => Readonly<Record<string, string>>;
  /** Runs the work of a request in its span. */
  readonly traced: (
    request: FastifyRequest,
    reply: FastifyReply,
    route: string,
    work: () => Promise<void>,
  ) => Promise<void>;
  /** What is wrong with a request that the server itself refused, by its status; null: the fault is ours. */
  readonly clientFault: (status: number | undefined, operation: Operation) => Error | null;
}

/** Routes of the interfaces of others: the OpenAI API, the UI message stream of the AI SDK, AG-UI. */
export function routeProtocols(server: FastifyInstance, parts: ProtocolParts): void {
  const operations = operationsByAddress(parts.operations);
  const retried = new RetriedCalls(parts.newId);
  const start = operations.get(startAddress);
  const respond = (route: ProtocolRoute, request: FastifyRequest, reply: FastifyReply, handle = route.handle) =>
    parts.traced(request, reply, route.url, async () => {
      const requestId = parts.newId("req");
      const call = callOf(request, requestId, { route: route.url, response: reply.raw }, parts.open);
      const { params, query } = call;
      const calls = new ServiceCalls(parts.pipeline, operations, call);
      const retry = request.headers["x-stainless-retry-count"]?.toString();
      const address = `${request.method} ${route.url}`;
      const own = { calls, params, query: new URLSearchParams(query), retry, address, retried };
      const answer = await answerOf({ ...route, handle }, own);
      if (parts.open.draining) reply.raw.setHeader("Connection", "close");
      const readers = parts.readers(call.credential);
      const exposed = [readers["Access-Control-Expose-Headers"], ...ownHeaders].join(", ");
      Object.assign(answer.headers, readers, { "Access-Control-Expose-Headers": exposed });
      await parts.send(reply, answer, call.signal, requestId);
    });
  for (const route of protocolRoutes) {
    const handler = (request: FastifyRequest, reply: FastifyReply): Promise<void> => respond(route, request, reply);
    const errorHandler = (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
      const fault = (start && parts.clientFault(error.statusCode, start)) ?? error;
      // A body that was not read to its end would be taken for the next request.
      reply.raw.setHeader("Connection", "close");
      void respond(route, request, reply, ({ calls }) => calls.refuse(startAddress, {}, fault));
    };
    server.route({ method: route.method, url: route.url, bodyLimit, handler, errorHandler });
  }
}

async function answerOf({ handle, refused }: ProtocolRoute, request: ProtocolRequest): Promise<Answer> {
  try {
    return await handle(request);
  } catch (error) {
    if (error instanceof RefusedCall) return (refused ?? ownProblem)(error.answer);
    throw error;
  }
}

/** A problem without its address, which is that of an operation that the caller did not call. */
const ownProblem = (answer: Answer): Answer => {
  const { instance: _instance, ...problem } = membersOf(answer.body);
  return { ...answer, body: JSON.stringify(problem) };
};

const ownHeaders = ["Conversation-Id", "Task-Id", "X-Ignored-Parameters", "X-Vercel-AI-UI-Message-Stream"];
