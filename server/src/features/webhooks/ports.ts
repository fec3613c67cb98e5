import type { Fault } from "../../kernel/errors.ts";
import type { EventFilter } from "../../kernel/event-filter.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import { definePort } from "../../kernel/port.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { Event } from "./schemas.ts";

/** Outbound HTTP, as endpoints need it. */
export interface WebhookPort {
  /** Seals secrets. */
  readonly credentialKey: Buffer;
  /** Why an address must not be called, by its text alone; null if it may. */
  checkUrl(environment: Environment, url: string): Fault | null;
  /** Why an address must not be called, by what its host resolves to. Null if it may, does not resolve, or too many lookups are running. Takes two seconds at most. */
  checkTarget(environment: Environment, url: string): Promise<Fault | null>;
  /** Called when this process hears that deliveries may be due. */
  onDue(callback: () => void): () => void;
  /** Tells this process that deliveries may be due. */
  due(): void;
}
export const webhookPort = definePort<WebhookPort>("webhook endpoints");

/** The events of an environment, whichever process they happened in. */
export interface EventFeedPort {
  /** Stored events above a sequence that pass a filter, in order, and then new ones, until `signal`. Throws `overloaded` if there are too many followers. */
  follow(scope: Scope, after: number, filter: EventFilter, signal: AbortSignal): AsyncIterable<Event, Ending>;
  stop(): void;
}
export const eventFeedPort = definePort<EventFeedPort>("events of an environment");
