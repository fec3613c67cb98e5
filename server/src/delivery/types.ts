import type { Pool } from "pg";
import type { Clock } from "../kernel/clock.ts";
import type { EventFilter } from "../kernel/event-filter.ts";
import type { PayloadFormat } from "../kernel/event-format.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Environment, Scope } from "../kernel/principal.ts";
import type { Readers } from "../kernel/readers.ts";

/** One request to an endpoint. */
export interface WebhookRequest {
  readonly environment: Environment;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of it: an answer, whatever its status, or why there was none. */
export interface WebhookAnswer {
  /** Null: no answer began. */
  readonly status: number | null;
  /** Why nothing was sent or no answer read; null: it was read. `aborted`: by our own signal. */
  readonly code: string | null;
  /** One sentence for people, beside `code`. */
  readonly detail: string | null;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly excerpt: string | null;
}

export interface DeliveryOptions {
  /** For this machine alone; five connections are enough. */
  readonly pool: Pool;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Under which the secrets of endpoints are sealed. */
  readonly credentialKey: Buffer;
  /** Sends through the guard of the way out. Never throws; follows no redirect. */
  readonly send: (request: WebhookRequest) => Promise<WebhookAnswer>;
  /** Disables an endpoint, as a call of its own. Throws a refusal where it is not as it was any more. */
  readonly disable: (scope: Scope, webhook: string, why: Hopeless) => Promise<unknown>;
  /** Looks whether the owners of endpoints may go on. */
  readonly lookAtOwners: (scope: Scope) => Promise<OwnersLook>;
  /** Calls back when events of a scope up to this one got their sequence, in this or another process; answers the function that ends it. */
  readonly onSequenced: (callback: (scope: Scope, newest: number) => void) => () => void;
  /** Calls back when deliveries may be due that no event announced. */
  readonly onDue: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
  /** How often to look without a signal (milliseconds, 500 by default). */
  readonly pollMs?: number;
  /** In [0, 1); chance by default. */
  readonly random?: () => number;
}

/** Endpoints whose owners may not go on, and when to look again besides whenever keys or members change; null: not before. Times in milliseconds. */
export interface OwnersLook {
  readonly stopped: readonly string[];
  readonly again: number | null;
}

/** Why nothing more is sent to an endpoint: `gone`, an attempt that began then at this URL was answered so; `failing`, since then; `stopped`, its owner may not go on. Times in milliseconds. */
export type Hopeless =
  | { readonly reason: "gone"; readonly url: string; readonly askedAt: number }
  | { readonly reason: "failing"; readonly since: number }
  | { readonly reason: "stopped" };

/** The machine that delivers. Any number of processes may run one over the same database. */
export interface DeliveryMachine {
  start(): void;
  /** Takes up nothing more, waits a few seconds for the attempts that run, and gives back what has not ended. */
  stop(): Promise<void>;
  /** Attempts that run in this process. */
  running(): number;
}

/** An endpoint that events are sent to. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly format: PayloadFormat;
  readonly filter: EventFilter;
  readonly rate: number | null;
  readonly secret: Buffer;
  /** Earlier ones, with the times until which they sign too (milliseconds). */
  readonly earlier: readonly { readonly secret: Buffer; readonly until: number }[];
  readonly startsAfter: number;
  readonly recovery: { readonly after: number; readonly to: number } | null;
}

/** A delivery whose attempt this process has claimed. */
export interface Claimed {
  readonly scope: Scope;
  readonly webhook: string;
  readonly id: string;
  /** Of this attempt, from 1. */
  readonly number: number;
  /** Failures of the present series before it. */
  readonly step: number;
  /** The attempt before it was answered 410. */
  readonly gone: boolean;
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly auditId: string | null;
  readonly taskId: string | null;
  readonly body: string;
  /** The level of the task that it belongs to; null: it belongs to none. */
  readonly risk: string | null;
  /** The lists of readers of the object that it is about; null: it has none. */
  readonly readers: readonly Readers[] | null;
  /** The latest signed checkpoint of the audit log; null: it has none. */
  readonly checkpoint: string | null;
}

/** What is written of an attempt. */
export interface Outcome {
  readonly claimed: Pick<Claimed, "scope" | "webhook" | "id" | "number">;
  readonly startedAt: number;
  readonly latencyMs: number | null;
  readonly url: string;
  readonly format: PayloadFormat;
  readonly signature: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly detail: string | null;
  readonly excerpt: string | null;
  /** What becomes of the delivery; null: nothing, another attempt decides that. */
  readonly fate: {
    readonly state: "delivered" | "pending" | "failed";
    readonly nextAt: number;
    readonly step: number;
  } | null;
}
