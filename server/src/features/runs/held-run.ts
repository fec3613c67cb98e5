import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { loadWork, type Work } from "./model.ts";
import { type LeaseKey, type StepEnding, updateStepEnd } from "./step-store.ts";

/** The end of a step that is written with what follows it. */
export interface LateEnd extends StepEnding {
  readonly id: string;
}

/**
 * A task of which this process holds the lease, as it stands: what the calls of its run ask about is changed by nobody else meanwhile. Every write of the run
 * is bound to the lease, so that what is remembered of one that was lost decides nothing.
 */
export interface HeldRun {
  readonly work: Work;
  /** A worker began this run before, and may have left steps that never ended. */
  readonly resumed: boolean;
  /** Null: all ends are written. */
  late: LateEnd | null;
  /** The latest turn of a model. */
  turn: string | null;
  /** Classes of data that it has read by searching knowledge. */
  found?: readonly string[];
}

/** What a call of a run is about: what is held, or, where another process may have started it, what stands in the database. */
export function workOf(ctx: ReadContext, task: string, held: HeldRun | undefined): Promise<Work | undefined> | Work {
  return held?.work ?? loadWork(ctx, task);
}

/** Writes the end of the step before, where it is still to be written, in the call's transaction. What follows is refused where the lease is lost. */
export async function writeLateEnd(
  ctx: WriteContext,
  { task, owner, held }: { task: string; owner: string; held?: HeldRun },
): Promise<void> {
  if (!held?.late) return;
  const { id, ...end } = held.late;
  await updateStepEnd(ctx.db, { scope: ctx.scope, task, owner } satisfies LeaseKey, id, end);
}
