import type { Conversation, Sent, Turn } from "../../features/chat/schemas.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { Answer } from "../../pipeline/call.ts";
import { followReply, replyOf } from "./follow-reply.ts";
import type { ReplyStep } from "./reply-steps.ts";
import type { RetriedCalls } from "./retried-calls.ts";
import type { Address, ServiceCalls } from "./service-calls.ts";

/** A request to one of the protocols. */
export interface ProtocolRequest {
  readonly calls: ServiceCalls;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** How often the client tried before, as it says; undefined: it does not say. */
  readonly retry: string | undefined;
  /** Method and path. */
  readonly address: string;
  readonly retried: RetriedCalls;
}

export const startAddress = "POST /v1/chat/conversations" satisfies Address;
const sendAddress = "POST /v1/chat/conversations/{conversation}/messages" satisfies Address;

/** The Idempotency-Key of the calls that a request is made of. */
export const idempotencyOf = ({ calls, retried, address, retry }: ProtocolRequest): string =>
  calls.idempotencyKey ?? retried.keyOf(calls, address, retry);

/** Reads the body; what is wrong with it is refused as by the start of a conversation, with its record. */
export async function readInput<T>({ calls }: ProtocolRequest, read: (body: unknown) => T): Promise<T> {
  try {
    return read(await calls.body());
  } catch (error) {
    if (error instanceof Refusal) return calls.refuse(startAddress, {}, error);
    throw error;
  }
}

/** Starts a conversation, or returns the one with the same external key. Whoever calls by a key tells their users themselves that an agent answers. */
export async function startConversation(
  calls: ServiceCalls,
  body: Readonly<Record<string, unknown>>,
  idempotencyKey: string,
): Promise<Conversation> {
  const started = calls.byEndUser ? body : { disclosure: null, ...body };
  const { output } = await calls.call<Conversation>(startAddress, { body: started, idempotencyKey });
  return output;
}

/** A message that was sent, with what becomes of its answer. */
export interface Exchange {
  readonly conversation: string;
  readonly sent: Sent;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  readonly steps: AsyncIterable<ReplyStep>;
  /** Tokens that the reply's task had used before. Default: none. */
  readonly tokensBefore?: number;
}

/** Sends a message and follows its answer. */
export async function sendMessage(
  calls: ServiceCalls,
  conversation: string,
  body: Readonly<Record<string, unknown>>,
  idempotencyKey: string,
): Promise<Exchange> {
  const { output: sent, answer } = await calls.call<Sent>(sendAddress, {
    params: { conversation },
    body,
    idempotencyKey,
  });
  return {
    conversation,
    sent,
    headers: headersOf(answer, conversation, sent.task_id),
    steps: await stepsOfSent(calls, conversation, sent),
  };
}

export async function stepsOfSent(
  calls: ServiceCalls,
  conversation: string,
  sent: Sent,
): Promise<AsyncIterable<ReplyStep>> {
  const followed = replyOf(conversation, sent);
  return followed ? followReply(calls, followed) : answeredByPerson(sent);
}

/** Where a person answers there is no turn: it stands as one that never begins. */
async function* answeredByPerson({ message_id }: Sent): AsyncGenerator<ReplyStep> {
  const turn: Turn = { ...{ turn_id: "", state: "queued", message_id }, reply_id: null, task_id: null, failure: null };
  yield { kind: "ended", turn, message: null };
}

const passedOn = new Set(["X-Request-Id", "Audit-Ref", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy"]);

/** What an answer of an operation passes on, with the ids by which the conversation goes on elsewhere. */
export function headersOf(
  answer: Answer,
  conversation: string | null,
  task: string | null = null,
): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(answer.headers).filter(([name]) => passedOn.has(name))),
    ...(conversation === null ? {} : { "Conversation-Id": conversation }),
    ...(task === null ? {} : { "Task-Id": task }),
  };
}

export type Ended = Extract<ReplyStep, { readonly kind: "ended" }>;

/** Waits for the end of a reply; null: it cannot be followed any longer. */
export async function endOf(steps: AsyncIterable<ReplyStep>, tell?: (step: ReplyStep) => void): Promise<Ended | null> {
  for await (const step of steps) {
    tell?.(step);
    if (step.kind === "ended") return step;
  }
  return null;
}

export const jsonAnswer = (body: unknown, headers: Record<string, string>, status = 200): Answer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
  headers,
});

/** An answer of server-sent events. */
export const eventAnswer = (stream: AsyncIterable<string>, headers: Record<string, string>): Answer => ({
  status: 200,
  contentType: "text/event-stream",
  body: "",
  headers,
  stream,
});

export const dataLine = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
export const pingLine = ": ping\n\n";

/** What is said where a reply could not be followed to its end. It goes on all the same. */
export const brokenOff =
  "The reply could not be followed to its end. It goes on: read the conversation for it, or send the call again.";
