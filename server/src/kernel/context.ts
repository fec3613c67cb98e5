import type { TObject } from "typebox";
import type { AppendTable, JobSpec } from "./append.ts";
import type { Reader, Writer } from "./db.ts";
import type { EventBody, EventType } from "./events.ts";
import type { FactSet, FactsReader } from "./facts.ts";
import type { NewId } from "./ids.ts";
import type { Position } from "./page.ts";
import type { Principal, Scope } from "./principal.ts";

/** What every call carries. Only the pipeline makes one. */
export interface CallContext {
  readonly scope: Scope;
  readonly principal: Principal;
  /** When the call began, in milliseconds since the epoch. */
  readonly now: number;
  readonly requestId: string;
  /** The id that this call's audit record will have. */
  readonly auditRef: string;
  readonly operation: string;
  readonly facts: FactsReader;
  readonly newId: NewId;
  /** The portal's public address, for links in events; without a slash at its end. */
  readonly appUrl: string;
}

/** The context of a look-up and of a read: its database handle cannot write. */
export interface ReadContext extends CallContext {
  readonly db: Reader;
  /** Seals and opens the cursors of lists, bound to this operation and scope. */
  readonly cursors: CursorSealer;
}

/** Cursors of lists: authenticated, and bound to operation, scope, filter and sort, so that callers can neither forge one nor use it elsewhere. */
export interface CursorSealer {
  seal(position: Position, filter: Readonly<Record<string, unknown>>, sort: string): string;
  /** Where a page begins; undefined for the first. Throws `invalid_cursor` for a text that was not made for this very list. */
  open(cursor: string | undefined, filter: Readonly<Record<string, unknown>>, sort: string): Position | undefined;
}

/** What a changing operation can do besides its database handle. */
export interface Emitting {
  /** Names the approval that came of the call, for its record. */
  aboutApproval(id: string): void;
  /** Stores an event together with the effect. `task` gives the task and the event's position among the task's events. */
  emit<S extends TObject>(type: EventType<S>, body: EventBody<S>, task?: { id: string; sequence: number }): void;
}

/** The context of an operation with a transaction of its own: all that it writes commits together with its audit record. */
export interface WriteContext extends CallContext, Emitting {
  readonly db: Writer;
  /** Says that facts of this topic changed: every process reloads them after the commit, this one before it answers. */
  touch(facts: FactSet<unknown>): void;
  /** Enqueues a wake-up in the same transaction. */
  enqueue(job: JobSpec): void;
}

/** The context of an operation that only appends: its rows are written together with those of concurrent calls. */
export interface AppendContext extends CallContext, Emitting {
  append<R extends Record<string, unknown>>(table: AppendTable<R>, row: R): void;
  enqueue(job: JobSpec): void;
  /** What the caller's Idempotency-Key stands for in this scope, principal, method and path; null without one. */
  readonly idempotency: { readonly hash: string; readonly bodyDigest: string } | null;
}
