import type { Fault } from "../../kernel/errors.ts";
import type { EventFilter } from "../../kernel/event-filter.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { Event } from "./delivery-schemas.ts";

/** What endpoints need of the way out. */
export interface WebhookPort {
  /** Under which secrets are sealed. */
  readonly credentialKey: Buffer;
  /** What an address says by itself against its being called; null: nothing. Makes no connection. */
  checkUrl(environment: Environment, url: string): Fault | null;
  /** Looks the address up: what speaks against where it leads; null: nothing, nobody knows it yet, or too many calls look addresses up at present. Ends within two seconds. */
  checkTarget(environment: Environment, url: string): Promise<Fault | null>;
  /** Called when this process hears that deliveries may be due. */
  onDue(callback: () => void): () => void;
  /** Says in this process that deliveries may be due. */
  due(): void;
}

/** What is told of the events of an environment, in whichever process they happened. */
export interface EventFeedPort {
  /**
   * Events above a sequence that pass a filter, in order, and then those that come, until `signal`. Throws `overloaded` where too many are there already.
   */
  follow(scope: Scope, after: number, filter: EventFilter, signal: AbortSignal): AsyncIterable<Event, Ending>;
  stop(): void;
}
