import type { AppendTable, Guard, JobSpec } from "../kernel/append.ts";
import type { Demand } from "../kernel/budget.ts";
import type { AppendContext, Emitting, GroupContext, StreamContext, WriteContext } from "../kernel/context.ts";
import type { Reader, Writer } from "../kernel/db.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import type { FactSet } from "../kernel/facts.ts";
import type { HeldCharge } from "../kernel/ledger.ts";
import type { Governed as Decided } from "../kernel/verdict.ts";
import { stillAllowed } from "./authenticate.ts";
import { stagesOf } from "./call.ts";
import { PipelineContext, PipelineReadContext } from "./context.ts";
import { collectEvents } from "./events.ts";
import { digestOfBody } from "./idempotency.ts";
import type { AppendedGuard, AppendedRow, CallRows, Transaction } from "./ports.ts";
import type { Governed, Handled, Reach, Validated } from "./stages.ts";

// Handlers and their contexts, one kind for each way to commit. Nothing else makes them.

type Handle = (ctx: object, given: object) => unknown;
type Pieces = AsyncIterable<string | Uint8Array>;

/** What a handler is given. */
export function givenOf(governed: Governed) {
  const { input, facts, approval, tags, limits, redact } = governed;
  const { params, query, body, loaded } = input;
  const decided: Decided = { stages: stagesOf(governed), approval, tags, limits, redact };
  return { params, query, body, loaded, facts, governed: decided };
}

/** Runs the handler of a read. `actual`: what it says that it used. */
export async function read(
  governed: Governed,
): Promise<{ readonly output: unknown; readonly actual: Demand | undefined }> {
  const { times, spec } = governed;
  const ctx = new PipelineReadContext(governed);
  times.handles = performance.now();
  const output = await (spec.handle as unknown as Handle)(ctx, givenOf(governed));
  times.handled = performance.now();
  return { output, actual: ctx.actual };
}

/** Begins a streamed representation of a read. Nothing of it is produced yet. */
export async function stream(governed: Governed, type: string): Promise<Pieces> {
  const { times } = governed;
  times.handles = performance.now();
  const pieces = await beginStream(governed, type, givenOf(governed));
  times.handled = performance.now();
  return pieces;
}

/** Begins to tell what becomes of a change that is durable. */
export function streamEffect(validated: Validated, type: string, output: unknown): Promise<Pieces> {
  return beginStream(validated, type, { ...validated.input, output });
}

/** Waits for what becomes of a change that is durable. */
export async function awaitEffect(validated: Validated, output: unknown): Promise<unknown> {
  const wait = validated.spec.awaits as unknown as Handle;
  return await wait(new PipelineReadContext(validated), { ...validated.input, output });
}

async function beginStream(validated: Validated, type: string, given: object): Promise<Pieces> {
  const { spec, call } = validated;
  const begin = spec.streams?.[type] as unknown as Handle;
  const ctx: StreamContext = Object.assign(new PipelineReadContext(validated), {
    lastEventId: call.lastEventId,
    allowed: () => stillAllowed(validated),
  });
  return (await begin(ctx, given)) as Pieces;
}

/** What a handler has said so far of the effect of its call. */
class Effect extends PipelineContext implements Emitting {
  readonly events: EmittedEvent[];
  readonly emit: Emitting["emit"];
  readonly jobs: JobSpec[] = [];
  readonly charge: HeldCharge | null;
  approvalId: string | null = null;
  keepsCharge = false;

  constructor(governed: Governed, charge: HeldCharge | null) {
    super(governed);
    const { events, emit } = collectEvents();
    this.events = events;
    this.emit = emit as Emitting["emit"];
    this.charge = charge;
  }

  aboutApproval(id: string): void {
    this.approvalId = id;
  }

  /** The job names the call that it goes back to, where that is traced. */
  enqueue(job: JobSpec): void {
    const { traceparent } = this;
    this.jobs.push(traceparent === null ? job : { ...job, payload: { ...job.payload, trace: traceparent } });
  }

  keepCharge(step: string | null = null): HeldCharge | null {
    this.keepsCharge = true;
    return this.charge?.of(step) ?? null;
  }
}

class WriteEffect extends Effect implements WriteContext {
  readonly db: Writer;
  readonly unpaid: boolean;
  readonly topics = new Set<string>();
  readonly notes: string[] = [];
  actual: Demand | undefined;

  constructor(governed: Governed, charge: HeldCharge | null, db: Writer) {
    super(governed, charge);
    this.db = db;
    this.unpaid = charge?.unpaid ?? false;
  }

  touch(facts: FactSet<unknown>): void {
    this.topics.add(facts.topic);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  spent(actual: Demand): void {
    this.actual = actual;
  }
}

/** Runs the handler of a change inside the call's own transaction. */
export async function write(
  governed: Governed,
  charge: HeldCharge | null,
  transaction: Pick<Transaction, "writer">,
  reached: Reach,
): Promise<Handled> {
  const { spec, times } = governed;
  const ctx = new WriteEffect(governed, charge, transaction.writer);
  times.handles = performance.now();
  try {
    const output = await (spec.handle as unknown as Handle)(ctx, givenOf(governed));
    times.handled = performance.now();
    return reached(
      handled(withNotes(governed, ctx.notes), ctx, output, { actual: ctx.actual, topics: [...ctx.topics] }),
    );
  } catch (error) {
    reached(withNotes(governed, ctx.notes));
    throw error;
  }
}

function withNotes(governed: Governed, notes: readonly string[]): Governed {
  if (notes.length === 0) return governed;
  const { compliance } = governed;
  return { ...governed, compliance: { ...compliance, reasons: [...compliance.reasons, ...notes] } };
}

interface Extras extends Partial<Pick<Handled, "actual" | "topics">> {
  readonly rows?: CallRows["rows"];
  readonly guard?: AppendedGuard | undefined;
}
const noRows: readonly AppendedRow[] = [];
const noTopics: readonly string[] = [];

function handled(governed: Governed, ctx: Effect, output: unknown, extras: Extras): Handled {
  const { events, jobs, approvalId, charge, keepsCharge } = ctx;
  const { rows = noRows, guard, actual, topics = noTopics } = extras;
  const newEventId = (): string => governed.machine.newId("evt");
  const writes = guard ? { guard, rows, events, jobs, newEventId } : { rows, events, jobs, newEventId };
  return { ...governed, output, writes, topics, approvalId, actual, charge, keepsCharge };
}

class AppendEffect extends Effect implements AppendContext {
  readonly rows: AppendedRow[] = [];
  readonly idempotency: AppendContext["idempotency"];

  constructor(governed: Governed, charge: HeldCharge | null, hash: string | null) {
    super(governed, charge);
    this.idempotency = hash === null ? null : { hash, bodyDigest: digestOfBody(governed.call) };
  }

  append<R extends Record<string, unknown>>(table: AppendTable<R>, row: R): void {
    this.rows.push({ table: table as unknown as AppendTable, row });
  }
}

/** Runs the handler of a grouped change: what it appends is written later, together with other calls. */
export function append(governed: Governed, charge: HeldCharge | null, idempotencyHash: string | null): Handled {
  const { spec, times } = governed;
  const ctx = new AppendEffect(governed, charge, idempotencyHash);
  times.handles = performance.now();
  const output = (spec.handle as unknown as Handle)(ctx, givenOf(governed));
  times.handled = performance.now();
  return handled(governed, ctx, output, { rows: ctx.rows });
}

class GroupEffect extends AppendEffect implements GroupContext {
  readonly db: Reader;
  held: AppendedGuard | undefined;

  constructor(governed: Governed, charge: HeldCharge | null) {
    super(governed, charge, null);
    this.db = governed.machine.reader;
  }

  guard<R extends Record<string, unknown>>(
    guard: Guard<R>,
    row: R,
    told: ((text: string) => void) | null = null,
  ): void {
    if (this.held) throw new Error("a call has one guard");
    this.held = { guard: guard as unknown as Guard, row, told };
  }
}

/** Runs the short way of a call inside; undefined where it does not suffice. */
export async function group(governed: Governed, charge: HeldCharge | null): Promise<Handled | undefined> {
  const { spec, times } = governed;
  const ctx = new GroupEffect(governed, charge);
  times.handles = performance.now();
  const output = await (spec.together as unknown as Handle)(ctx, givenOf(governed));
  if (output === undefined) return undefined;
  times.handled = performance.now();
  return handled(governed, ctx, output, { rows: ctx.rows, guard: ctx.held });
}
