import type { Static, TObject } from "typebox";

/** A kind of event that subscribers can receive. `schema` describes the flat body, `event` included; it is published in the description. */
export interface EventType<S extends TObject = TObject> {
  readonly type: string;
  readonly summary: string;
  readonly schema: S;
}

const catalogue = new Map<string, EventType>();

/** Declares an event and enters it in the catalogue. */
export function defineEvent<S extends TObject>(event: EventType<S>): EventType<S> {
  if (catalogue.has(event.type)) throw new Error(`event ${event.type} is declared twice`);
  catalogue.set(event.type, event);
  return event;
}

/** Every declared event, by name. */
export function eventCatalogue(): EventType[] {
  return [...catalogue.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** An event on its way into the store, built only by `ctx.emit` from a declared type. */
export interface EmittedEvent {
  readonly type: string;
  readonly taskId: string | null;
  /** Position among the events of its task, from 1; null for events of no task. */
  readonly taskSequence: number | null;
  readonly body: string;
}

/** The members of an event body without `event`, which `emit` adds. */
export type EventBody<S extends TObject> = Omit<Static<S>, "event">;
