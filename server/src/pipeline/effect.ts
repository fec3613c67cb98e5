import type { AppendTable, Guard, JobSpec } from "../kernel/append.ts";
import type { Demand, Reservation } from "../kernel/budget.ts";
import type {
  AppendContext,
  CursorSealer,
  GroupContext,
  ReadContext,
  StreamContext,
  WriteContext,
} from "../kernel/context.ts";
import type { Reader } from "../kernel/db.ts";
import type { FactSet } from "../kernel/facts.ts";
import { type Appended, type Attempt, collectEvents, handlingOf, PipelineContext } from "./stages.ts";
import { stillAllowed } from "./authenticate.ts";
import { digestOfBody } from "./idempotency.ts";
import type { AppendedGuard, CallRows, Transaction } from "./ports.ts";

// The contexts that handlers get, one kind for each way to commit. Nothing else makes them.

type Handle = (ctx: object, given: object) => unknown;

class Reading extends PipelineContext implements ReadContext {
  readonly db: Reader;
  readonly cursors: CursorSealer;

  constructor(attempt: Attempt) {
    super(attempt);
    this.db = attempt.machine.reader;
    this.cursors = attempt.machine.cursors(attempt.spec.id, this.scope);
  }
}

/** The context of `load` and of reads: a database handle that cannot write. */
export function readContext(attempt: Attempt): ReadContext {
  return new Reading(attempt);
}

/** Runs the handler of a read. */
export async function read(attempt: Attempt): Promise<unknown> {
  attempt.times.handles = performance.now();
  const output = await (attempt.spec.handle as unknown as Handle)(readContext(attempt), handlingOf(attempt));
  attempt.times.handled = performance.now();
  return output;
}

/** Begins a streamed representation of a read. Nothing of it is produced yet. */
export async function stream(attempt: Attempt, type: string): Promise<AsyncIterable<string | Uint8Array>> {
  const begin = attempt.spec.streams?.[type] as unknown as Handle;
  const ctx: StreamContext = Object.assign(new Reading(attempt), {
    lastEventId: attempt.call.lastEventId,
    allowed: () => stillAllowed(attempt),
  });
  attempt.times.handles = performance.now();
  const pieces = (await begin(ctx, handlingOf(attempt))) as AsyncIterable<string | Uint8Array>;
  attempt.times.handled = performance.now();
  return pieces;
}

/** A job that names the call that it goes back to, where that is traced. */
const traced = (job: JobSpec, traceparent: string | null): JobSpec =>
  traceparent === null ? job : { ...job, payload: { ...job.payload, trace: traceparent } };

/** What a handler did besides its answer. */
export interface Done {
  readonly output: unknown;
  readonly writes: Omit<CallRows, "record">;
  readonly topics: readonly string[];
}

/** Runs the handler of a change inside the call's own transaction. */
export async function write(attempt: Attempt, transaction: Pick<Transaction, "writer">): Promise<Done> {
  const { machine, spec, progress } = attempt;
  const { events, emit } = collectEvents();
  const jobs: JobSpec[] = [];
  const topics = new Set<string>();
  const ctx: WriteContext = Object.assign(new PipelineContext(attempt), {
    db: transaction.writer,
    emit,
    aboutApproval: (id: string) => {
      attempt.approvalId = id;
    },
    enqueue: (job: JobSpec) => void jobs.push(traced(job, ctx.traceparent)),
    touch: (facts: FactSet<unknown>) => void topics.add(facts.topic),
    note: (text: string) => {
      progress.compliance = { ...progress.compliance, reasons: [...progress.compliance.reasons, text] };
    },
    spent: (actual: Demand) => {
      attempt.actual = actual;
    },
    keepReserved: () => {
      attempt.reservationKept = true;
      return attempt.reservation;
    },
  });
  attempt.times.handles = performance.now();
  const output = await (spec.handle as unknown as Handle)(ctx, handlingOf(attempt));
  attempt.times.handled = performance.now();
  attempt.emitted = events;
  return { output, writes: { rows: [], events, jobs, newEventId: () => machine.newId("evt") }, topics: [...topics] };
}

/** What a grouped handler can do. A class, since it is made for every dispatch. */
class Appending extends PipelineContext implements AppendContext {
  readonly rows: Appended = [];
  readonly jobs: JobSpec[] = [];
  readonly emit: AppendContext["emit"];
  readonly idempotency: AppendContext["idempotency"];
  readonly #attempt: Attempt;

  constructor(attempt: Attempt, emit: AppendContext["emit"], hash: string | null) {
    super(attempt);
    this.#attempt = attempt;
    this.emit = emit;
    this.idempotency = hash === null ? null : { hash, bodyDigest: digestOfBody(attempt.call) };
  }

  aboutApproval(id: string): void {
    this.#attempt.approvalId = id;
  }

  enqueue(job: JobSpec): void {
    this.jobs.push(traced(job, this.traceparent));
  }

  append<R extends Record<string, unknown>>(table: AppendTable<R>, row: R): void {
    this.rows.push({ table: table as unknown as AppendTable, row });
  }
}

/** Runs the handler of a grouped change: what it appends is written later, together with other calls. */
export function append(attempt: Attempt, idempotencyHash: string | null): Done {
  const { machine, spec } = attempt;
  const { events, emit } = collectEvents();
  const ctx = new Appending(attempt, emit as AppendContext["emit"], idempotencyHash);
  attempt.times.handles = performance.now();
  const output = (spec.handle as unknown as Handle)(ctx, handlingOf(attempt));
  attempt.times.handled = performance.now();
  attempt.emitted = events;
  return {
    output,
    writes: { rows: ctx.rows, events, jobs: ctx.jobs, newEventId: () => machine.newId("evt") },
    topics: [],
  };
}

/** What the short way of a call inside can do. */
class Grouping extends Appending implements GroupContext {
  readonly db: Reader;
  held: AppendedGuard | undefined;
  readonly #attempt: Attempt;

  constructor(attempt: Attempt, emit: AppendContext["emit"]) {
    super(attempt, emit, null);
    this.#attempt = attempt;
    this.db = attempt.machine.reader;
  }

  guard<R extends Record<string, unknown>>(
    guard: Guard<R>,
    row: R,
    told: ((text: string) => void) | null = null,
  ): void {
    if (this.held) throw new Error("a call has one guard");
    this.held = { guard: guard as unknown as Guard, row, told };
  }

  keepReserved(): Reservation | null {
    this.#attempt.reservationKept = true;
    return this.#attempt.reservation;
  }
}

/** Runs the short way of a call inside; undefined where it does not suffice. */
export async function group(attempt: Attempt): Promise<Done | undefined> {
  const { machine, spec } = attempt;
  const { events, emit } = collectEvents();
  const ctx = new Grouping(attempt, emit as AppendContext["emit"]);
  attempt.times.handles = performance.now();
  const output = await (spec.together as unknown as Handle)(ctx, handlingOf(attempt));
  if (output === undefined) return undefined;
  attempt.times.handled = performance.now();
  attempt.emitted = events;
  const { held, rows, jobs } = ctx;
  const writes = { ...(held ? { guard: held } : {}), rows, events, jobs, newEventId: () => machine.newId("evt") };
  return { output, writes, topics: [] };
}
