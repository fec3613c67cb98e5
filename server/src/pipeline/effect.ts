import type { AppendTable, JobSpec } from "../kernel/append.ts";
import type { AppendContext, ReadContext, WriteContext } from "../kernel/context.ts";
import type { FactSet } from "../kernel/facts.ts";
import type { Demand } from "../kernel/budget.ts";
import { type Appended, type Attempt, collectEvents, handlingOf, PipelineContext, scopeOf } from "./attempt.ts";
import { digestOfBody } from "./idempotency.ts";
import type { CallRows, Transaction } from "./ports.ts";

// The contexts that handlers get, one kind for each way to commit. Nothing else makes them.

type Handle = (ctx: object, given: object) => unknown;

/** The context of `load` and of reads: a database handle that cannot write. */
export function readContext(attempt: Attempt): ReadContext {
  const { machine, spec } = attempt;
  return { ...contextOf(attempt), db: machine.reader, cursors: machine.cursors(spec.id, scopeOf(attempt)) };
}

/** Runs the handler of a read. */
export async function read(attempt: Attempt): Promise<unknown> {
  return await (attempt.spec.handle as unknown as Handle)(readContext(attempt), handlingOf(attempt));
}

/** What a handler did besides its answer. */
export interface Done {
  readonly output: unknown;
  readonly writes: Omit<CallRows, "record">;
  readonly topics: readonly string[];
}

/** Runs the handler of a change inside the call's own transaction. */
export async function write(attempt: Attempt, transaction: Transaction): Promise<Done> {
  const { machine, spec } = attempt;
  const { events, emit } = collectEvents();
  const jobs: JobSpec[] = [];
  const topics = new Set<string>();
  const ctx: WriteContext = {
    ...contextOf(attempt),
    db: transaction.writer,
    emit,
    aboutApproval: (id) => {
      attempt.approvalId = id;
    },
    enqueue: (job) => void jobs.push(job),
    touch: (facts: FactSet<unknown>) => void topics.add(facts.topic),
  };
  const output = await (spec.handle as unknown as Handle)(ctx, handlingOf(attempt));
  return { output, writes: { rows: [], events, jobs, newEventId: () => machine.newId("evt") }, topics: [...topics] };
}

/** Runs the handler of a grouped change: what it appends is written later, together with other calls. */
export function append(attempt: Attempt, idempotencyHash: string | null): Done {
  const { machine, spec, call } = attempt;
  const { events, emit } = collectEvents();
  const jobs: JobSpec[] = [];
  const rows: Appended = [];
  const ctx: AppendContext = {
    ...contextOf(attempt),
    emit,
    aboutApproval: (id) => {
      attempt.approvalId = id;
    },
    enqueue: (job) => void jobs.push(job),
    append: (table, row) => void rows.push({ table: table as unknown as AppendTable, row }),
    idempotency: idempotencyHash === null ? null : { hash: idempotencyHash, bodyDigest: digestOfBody(call) },
  };
  const output = (spec.handle as unknown as Handle)(ctx, handlingOf(attempt));
  return { output, writes: { rows, events, jobs, newEventId: () => machine.newId("evt") }, topics: [] };
}
