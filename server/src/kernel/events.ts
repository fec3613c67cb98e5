import type { Static, TObject } from "typebox";

/** The read rule of the object that events of a type are about. Whoever may not read the object gets none of them, by any way. */
export interface EventReaders {
  /** The permission that reading the object takes; null: none beyond that for events. */
  readonly permission: string | null;
  /**
   * SQL over the stored event `e` for the lists of readers that all have to admit somebody, as a JSON array of arrays of tokens and nulls (`kernel/readers.ts`).
   * Where it finds no object it is null, and only those who see everything read the event. Null: the object has no lists.
   */
  readonly lists: string | null;
}

/** Events about objects that everybody reads who reads events. */
export const everyone: EventReaders = { permission: null, lists: null };

/** Events about objects that take a permission to read. */
export const whoHolds = (permission: string): EventReaders => ({ permission, lists: null });

/** A kind of event that subscribers can receive. `schema` describes the flat body, `event` included; it is published in the description. */
export interface EventType<S extends TObject = TObject> {
  readonly type: string;
  readonly summary: string;
  readonly readers: EventReaders;
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
  /** Who is accountable for what it says, as JSON; absent: whoever called, or those who are for its task. */
  readonly deciders?: string;
}

/** The members of an event body without `event`, which `emit` adds. */
export type EventBody<S extends TObject> = Omit<Static<S>, "event">;
