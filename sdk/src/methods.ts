import type { Answer, PageAnswer } from "./answer.ts";
import type { components, operations, webhooks } from "./generated/api.ts";
import type { OperationId } from "./generated/operations.ts";

// What each operation takes and answers, taken from the generated types.

/** The answer to a change with `dryRun: true`: what it would do. */
export type DryRun = components["schemas"]["DryRun"];

type Simplify<T> = { [K in keyof T]: T[K] };
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

type ParametersOf<Id extends OperationId> = operations[Id] extends { parameters: infer P } ? P : unknown;
type In<Id extends OperationId, Place extends string> = Place extends keyof ParametersOf<Id>
  ? NonNullable<ParametersOf<Id>[Place]>
  : unknown;
type Takes<Id extends OperationId, Header extends string> = Header extends keyof In<Id, "header"> ? true : false;
/** Whether a header has to be sent. */
type Needs<Id extends OperationId, Header extends string> =
  Header extends RequiredKeys<In<Id, "header">> ? true : false;
type BodyTypes<Id extends OperationId> = "requestBody" extends keyof operations[Id]
  ? NonNullable<operations[Id]["requestBody"]> extends { content: infer C }
    ? C
    : unknown
  : unknown;
type BodyOf<Id extends OperationId> = BodyTypes<Id> extends { "application/json": infer B } ? B : unknown;
type Addressed<Id extends OperationId> = In<Id, "path"> & Omit<In<Id, "query">, "dry_run">;

/**
 * What a call of an operation is given, all in one: the parameters of its path and query, and the fields of its body. Where the service reads YAML, `yaml` with
 * the text of a file may stand for the fields. Where it takes a file, that is a `Blob` or `File`, and what is sent is a form.
 */
export type Input<Id extends OperationId> =
  | Simplify<Addressed<Id> & BodyOf<Id>>
  | (BodyTypes<Id> extends { "application/yaml": unknown } ? Simplify<Addressed<Id> & { yaml: string }> : never)
  | (BodyTypes<Id> extends { "multipart/form-data": infer F } ? Simplify<Addressed<Id> & WithFile<F>> : never);

/** A form whose file is one, and not text. */
type WithFile<F> = Omit<F, "file"> & { file: Blob };

type Contents<Id extends OperationId> = {
  [Status in keyof operations[Id]["responses"] & (200 | 201 | 202 | 207)]: operations[Id]["responses"][Status] extends {
    content: infer C;
  }
    ? C
    : never;
}[keyof operations[Id]["responses"] & (200 | 201 | 202 | 207)];
type Json<C> = C extends { "application/json": infer T }
  ? T
  : C extends { "text/plain; charset=utf-8": infer T }
    ? T
    : never;

/** What an operation answers. */
export type Output<Id extends OperationId> = Exclude<Json<Contents<Id>>, DryRun>;

/** How a call is sent. */
export interface CallOptions {
  /** Ends the call, and what it waits for between attempts. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, besides what it asks the service to wait. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed for a passing reason is sent again. */
  readonly retries?: number | undefined;
  /** Further headers; they come before those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How a call of this operation is sent. */
export type Options<Id extends OperationId> = Simplify<
  CallOptions &
    (Takes<Id, "Idempotency-Key"> extends true
      ? {
          /** Makes repeating safe for 24 hours, also over restarts of the caller. Left out, each call has one of its own, kept over its attempts. */
          readonly idempotencyKey?: string | undefined;
        }
      : unknown) &
    (Needs<Id, "If-Match"> extends true
      ? {
          /** The `etag` of the revision that the change is based on. */
          readonly ifMatch: string;
        }
      : Takes<Id, "If-Match"> extends true
        ? {
            /** The `etag` of the revision that the call is meant for; left out, it takes what is there. */
            readonly ifMatch?: string | undefined;
          }
        : unknown) &
    (Takes<Id, "Prefer"> extends true
      ? {
          /** Seconds, at most 60, to wait for the work to end. */
          readonly wait?: number | undefined;
        }
      : unknown)
>;

type Arguments<I, O> =
  RequiredKeys<O> extends never
    ? object extends I
      ? [input?: I, options?: O]
      : [input: I, options?: O]
    : [input: I, options: O];

/** A call that reads. */
export type Read<Id extends OperationId> = (...args: Arguments<Input<Id>, Options<Id>>) => Answer<Output<Id>>;

/** A call that changes something, unless `dryRun: true` asks what it would do. */
export interface Change<Id extends OperationId> {
  (...args: Arguments<Input<Id>, Options<Id> & { readonly dryRun: true }>): Answer<DryRun>;
  (...args: Arguments<Input<Id>, Options<Id> & { readonly dryRun?: false | undefined }>): Answer<Output<Id>>;
}

/** What a page lists. */
export type ItemOf<P> = P extends { readonly data: readonly (infer Item)[] } ? Item : never;

/** A call that reads a page; iterating over its answer reads on, page by page. */
export type List<Id extends OperationId> = (...args: Arguments<Input<Id>, Options<Id>>) => PageAnswer<Output<Id>>;

/** A call that answers null where what `ifNoneMatch` names is still current. */
export type Conditional<Id extends OperationId> = (
  input: Input<Id>,
  options: Options<Id> & { readonly ifNoneMatch: string },
) => Answer<Output<Id> | null>;

type Representations<Id extends OperationId> = Omit<Contents<Id>, "application/json" | "text/event-stream">;

/** A call that can answer in another representation: text, or, where it may be long, a stream of bytes. */
export type Represented<Id extends OperationId> = <A extends keyof Representations<Id>>(
  input: Input<Id>,
  options: Options<Id> & { readonly accept: A },
) => Answer<Representations<Id>[A] extends string ? string : ReadableStream<Uint8Array>>;

/** A call whose answer can be followed as it comes. */
export interface Stream<Id extends OperationId> {
  /**
   * Follows as it comes: events from the first on, or after `lastEventId`. A connection that breaks is taken up again without loss or doubling. Ends when the service
   * says that it is over, when the loop is left, and when `signal` ends it.
   */
  stream(input: Omit<Input<Id>, "limit" | "cursor">, options?: StreamOptions): AsyncIterable<Streamed<Id>>;
}

/** How events are followed. */
export interface StreamOptions extends Omit<CallOptions, "timeoutMs"> {
  /** The `id` of the last event that is known. */
  readonly lastEventId?: string | undefined;
  /** Of a change: makes repeating safe for 24 hours. Left out, the call has one of its own, kept over all its connections. */
  readonly idempotencyKey?: string | undefined;
  /** Milliseconds of silence after which a connection counts as broken; the service says something every 15 seconds. */
  readonly silenceMs?: number | undefined;
}

/** The types of events. Further ones may come. */
export type EventType = keyof webhooks;

/** The body of an event, as webhooks of the format `flat` carry it. */
export type EventBody<E extends EventType = EventType> = {
  [T in E]: webhooks[T] extends { post: { requestBody: { content: { "application/json": infer B } } } } ? B : never;
}[E];

/** An event of a stream. Switch over `type`: it says what `data` is. */
export type StreamedEvent = {
  [E in EventType]: { readonly id: string; readonly type: E; readonly data: EventBody<E> };
}[EventType];

type Schemas = components["schemas"];
type Part = Schemas["Message"]["parts"][number];

/** A message of the user and what becomes of it. */
export interface ChatTurn {
  readonly turn_id: string;
  readonly state:
    | ("queued" | "running" | "awaiting_approval" | "input_required")
    | ("completed" | "failed" | "blocked" | "stopped");
  readonly message_id: string;
  readonly reply_id: string | null;
  readonly task_id: string | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

/** A place in a message. */
interface AtPart {
  readonly message_id: string;
  readonly index: number;
}

/** What is sent of a conversation, by the types of its events. Further ones may come. */
export interface ChatEventData {
  readonly "chat.message.created": { readonly message: Schemas["Message"] };
  readonly "chat.part.started": AtPart & { readonly part: Part };
  /** Text behind that of the part. */
  readonly "chat.part.delta": AtPart & { readonly text: string };
  readonly "chat.part.completed": AtPart & { readonly part: Part };
  readonly "chat.message.completed": { readonly message: Schemas["Message"] };
  readonly "chat.message.changed": { readonly message: Schemas["Message"] };
  readonly "chat.turn.changed": { readonly turn: ChatTurn };
  readonly "chat.conversation.changed": { readonly conversation: Partial<Schemas["Conversation"]> };
}

/** An event of a conversation's stream. Switch over `type`: it says what `data` is. */
export type StreamedChatEvent = {
  [E in keyof ChatEventData]: { readonly id: string; readonly type: E; readonly data: ChatEventData[E] };
}[keyof ChatEventData];

/** What a stream yields: of tasks and conversations, events with their bodies; else items as the pages of the same operation have them. */
export type Streamed<Id extends OperationId> = Id extends "tasks.listTaskEvents"
  ? StreamedEvent
  : Id extends `chat.${string}`
    ? StreamedChatEvent
    : { readonly id: string; readonly type: EventType; readonly data: ItemOf<Output<Id>> };
