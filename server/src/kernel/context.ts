import type { TObject } from "typebox";
import type { Decider } from "./actor.ts";
import type { AppendTable, Guard, JobSpec } from "./append.ts";
import type { Demand } from "./budget.ts";
import type { Reader, Writer } from "./db.ts";
import type { EventBody, EventType } from "./events.ts";
import type { FactSet, FactsReader } from "./facts.ts";
import type { NewId } from "./ids.ts";
import type { Charge } from "./ledger.ts";
import type { Position } from "./page.ts";
import type { PortReader } from "./port.ts";
import type { Principal, Scope } from "./principal.ts";
import type { InsideOperation, Operation } from "./sealed-operation.ts";
import type { Seals } from "./seals.ts";

/** What every call carries. Only the pipeline makes one. */
export interface CallContext extends PortReader {
  readonly scope: Scope;
  readonly principal: Principal;
  /** When the call began, in milliseconds since the epoch. */
  readonly now: number;
  readonly requestId: string;
  /** The IP address that the call came from; null: it came from inside the service. */
  readonly address: string | null;
  /** The id that this call's audit record will have. */
  readonly auditRef: string;
  readonly operation: string;
  readonly facts: FactsReader;
  readonly seals: Seals;
  readonly newId: NewId;
  /** The portal's public address, for links in events; without a slash at its end. */
  readonly appUrl: string;
  /** Whether people can sign in personally here: by OpenID Connect, or by an invitation and a passkey. Without it nobody can be a second person. */
  readonly personalSignIn: boolean;
  /** The batch (`bat_…`) that this call is an item of; null: a call of its own. */
  readonly batch: string | null;
  /** Seconds that the caller is willing to wait (`Prefer: wait=n`), at most 60; 0 where it did not say, and where the operation is not `waitable`. */
  readonly waitSeconds: number;
  /** Whether the caller named the revision that was loaded as what the call is based on (If-Match); `*` names none. */
  readonly basedOnLoaded: boolean;
  /** Aborted when the caller has gone or the service stops: what waits for something ends its wait then. */
  readonly signal: AbortSignal;
  /** W3C `traceparent` of the call, for what goes on after it in another process; null where nothing is traced. */
  readonly traceparent: string | null;
}

/** The context of a look-up and of a read: its database handle cannot write. */
export interface ReadContext extends CallContext {
  readonly db: Reader;
  /** Seals and opens the cursors of lists, bound to this operation and scope. */
  readonly cursors: CursorSealer;
  /** Says what the call really used of what its `spends` reserved; without it, all of that counts. */
  spent(actual: Demand): void;
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
  /**
   * Stores an event together with the effect. `task` gives the task and the event's position among the task's events; `deciders` who is accountable for what it
   * says, where that is not whoever calls.
   */
  emit<S extends TObject>(
    type: EventType<S>,
    body: EventBody<S>,
    task?: { id: string; sequence: number },
    deciders?: readonly Decider[],
  ): void;
}

/** The context of an operation with a transaction of its own: all that it writes commits together with its audit record. */
export interface WriteContext extends CallContext, Emitting {
  readonly db: Writer;
  /** Says that facts of this topic changed: every process reloads them after the commit, this one before it answers. */
  touch(facts: FactSet<unknown>): void;
  /** Enqueues a wake-up in the same transaction. */
  enqueue(job: JobSpec): void;
  /** A budget is used up, and the operation goes on without a charge (`overBudget`): it starts no work that costs something. */
  readonly unpaid: boolean;
  /** Adds a reason to what compliance said of this call in its record: one line, no personal data. */
  note(text: string): void;
  /** Says what the call really used of what its `spends` reserved; without it, all of that counts. */
  spent(actual: Demand): void;
  /**
   * Leaves what its `spends` reserved held beyond the commit, for work that follows it, such as a model's turn: who gets it settles it, once, when that is done.
   * `step`: the step that costs it. Null: the call spends nothing. Of a call that fails it is released.
   */
  keepCharge(step?: string | null): Charge | null;
}

/** The context of an operation that only appends: its rows are written together with those of concurrent calls. */
export interface AppendContext extends CallContext, Emitting {
  append<R extends Record<string, unknown>>(table: AppendTable<R>, row: R): void;
  enqueue(job: JobSpec): void;
  /** What the caller's Idempotency-Key stands for in this scope, principal, method and path; null without one. */
  readonly idempotency: { readonly hash: string; readonly bodyDigest: string } | null;
}

/**
 * The context of the short way of a call inside: it looks things up outside of any transaction, and what it appends is written together with what concurrent
 * calls append, if its guard holds.
 */
export interface GroupContext extends Omit<AppendContext, "idempotency"> {
  readonly db: Reader;
  /** What has to hold for the call to count; at most one. `told` hears what the guard says of the row, once it is written. */
  guard<R extends Record<string, unknown>>(guard: Guard<R>, row: R, told?: (text: string) => void): void;
  /** As in a transaction. */
  keepCharge(step?: string | null): Charge | null;
}

/** The context of a streamed representation. */
export interface StreamContext extends ReadContext {
  /** `Last-Event-ID` as it was sent: where a client that comes back wants to go on; null without it. */
  readonly lastEventId: string | null;
  /**
   * False once the key was revoked, has expired or lost the permission, and while this process cannot confirm that it still holds: end the
   * stream. Cheap; look whenever something is sent, and every few seconds.
   */
  allowed(): boolean;
}

/** The context of a batch: it has no effect of its own, it looks things up and makes calls. */
export interface BatchContext extends ReadContext {
  /** The batch's own id, `bat_…`. A repetition with the same Idempotency-Key has the same one, on the same day. */
  readonly id: string;
  /**
   * Carries an item out as a call of its own: by the same caller, through all stages, with its own record and commit. Refusals do not throw,
   * they are outcomes. At most 16 run at a time, the others wait: start all of them at once. On a dry run the item is one too; `status` is then
   * what it would answer.
   */
  call(operation: Operation, item: BatchItem): Promise<ItemOutcome>;
  /**
   * Writes down what the batch itself has to remember, by an operation of the service itself that is run as the caller: through all stages, with its own
   * record and commit. A repetition carries it out again, so that it has to come to the same. Null on a dry run, where it is left out. A refusal throws.
   */
  record<I, O>(operation: InsideOperation<I, O>, input: I): Promise<O | null>;
}

export interface BatchItem {
  /** The members of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The revision that the item is based on, where its operation wants one (If-Match). Default: none. */
  readonly ifMatch?: string;
  /** Its place in the batch, from 0. Under an Idempotency-Key, item n of a repetition is the same call as item n of the first, unless it has a `name`. */
  readonly index: number;
  /**
   * What it is about, where a repetition looks for its items again, so that an item keeps its call whatever its place is then.
   * Default: its place.
   */
  readonly name?: string;
  /** Made with `dry_run=true`: it changes nothing, and answers what each stage decides. */
  readonly rehearsed?: true;
}

/** What an item of a batch came to. */
export interface ItemOutcome {
  readonly status: number;
  /** The answer, or the problem. */
  readonly body: unknown;
  readonly auditRef: string;
}
