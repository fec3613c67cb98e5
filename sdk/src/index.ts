export type { Answer, Answered, PageAnswer } from "./answer.ts";
export { type AosClient, type ClientOptions, createClient, createRawClient } from "./client.ts";
export {
  AosError,
  ApiProblem,
  BadRequest,
  Conflict,
  ConnectionError,
  type Fault,
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  ServerError,
  Stale,
  TimeoutError,
  Unauthenticated,
  WebhookVerificationError,
} from "./errors.ts";
export type { components, operations, paths } from "./generated/api.ts";
export type { Operations, ProblemCode } from "./generated/methods.ts";
export type { OperationId } from "./generated/operations.ts";
export type {
  CallOptions,
  ChatEventData,
  ChatTurn,
  DryRun,
  EventBody,
  EventType,
  Input,
  Options,
  Output,
  Streamed,
  StreamedChatEvent,
  StreamedEvent,
  StreamOptions,
} from "./methods.ts";
export type { RetryRules } from "./retry.ts";
export { unwrap, type WebhookEvent, type WebhookEventOf, type WebhookHeaders, webhooks } from "./webhooks.ts";
