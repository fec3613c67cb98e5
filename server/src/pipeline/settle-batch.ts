import { hash } from "node:crypto";
import type { BatchContext, BatchItem, ItemOutcome } from "../kernel/context.ts";
import { keptFor } from "../kernel/idempotency.ts";
import { createIds } from "../kernel/ids.ts";
import type { Operation } from "../kernel/operation.ts";
import { describe } from "../kernel/operation-seal.ts";
import { answerOf, type Finished } from "./answer.ts";
import { type Attempt, handlingOf, PipelineContext, scopeOf } from "./stages.ts";
import { digest } from "./audit.ts";
import type { BatchLanes } from "./batch-lanes.ts";
import type { Answer, Call } from "./call.ts";
import { answerDryRun } from "./dry-run.ts";
import { claimOrReplay, idempotencyHash } from "./idempotency.ts";
import type { Transaction } from "./ports.ts";
import { prepare, recordAlone, unlessUnavailable, withFindings } from "./record.ts";
import { keptAnswer, replayStored } from "./replay.ts";
import { abandonReservation, endReservation } from "./reserve.ts";
import { type Govern, governAndReserve } from "./settle.ts";

/** What batches of one process share: the way into the pipeline, and how much of it they may take at a time. */
export interface Batches {
  readonly run: (operation: Operation, call: Call) => Promise<{ readonly answer: Answer }>;
  readonly lanes: BatchLanes;
}

/** What the items came to, beside what the handler makes of it. */
interface Tally {
  /** Whether an item failed in a way that the same call may overcome. */
  failed: boolean;
  /** What the items of a dry run would emit, in the order of the items. */
  readonly events: string[][];
}

/**
 * A batch: its items are calls of their own, with their own stages, record and commit; its own record and stored answer commit when all have ended.
 * Repeated, it answers what it answered. After a crash in the middle the repetition runs: items that were committed answer again what they
 * answered, by keys that follow from the batch's, and the others are carried out.
 */
export async function settleBatch(attempt: Attempt, govern: Govern, batches: Batches): Promise<Finished> {
  const { call, progress } = attempt;
  const key = idempotencyHash(call, scopeOf(attempt), progress.principal);
  return await batches.lanes.batch(() => settle(attempt, govern, batches, key));
}

async function settle(attempt: Attempt, govern: Govern, batches: Batches, key: string | null): Promise<Finished> {
  const { machine, call, progress } = attempt;
  let transaction: Transaction | undefined;
  try {
    if (key !== null && !attempt.dryRun) {
      transaction = await machine.begin(scopeOf(attempt), attempt.spec);
      const stored = await claimOrReplay(transaction, key, call, progress.now);
      if (stored) return await replayStored(attempt, stored, transaction);
    }
    await governAndReserve(attempt, govern);
    const tally: Tally = { failed: false, events: [] };
    const output = await carryOut(attempt, batches, key, tally);
    if (attempt.dryRun) {
      endReservation(attempt, false);
      return await answerDryRun(attempt, output, tally.events.flat());
    }
    return await conclude(
      attempt,
      output,
      transaction && key !== null && !tally.failed ? { transaction, key } : null,
      transaction,
    );
  } catch (error) {
    await transaction?.rollback();
    abandonReservation(attempt, error);
    throw error;
  }
}

/** Record and stored answer together; a batch that is not stored has its record alone. */
async function conclude(
  attempt: Attempt,
  output: unknown,
  keep: { transaction: Transaction; key: string } | null,
  open: Transaction | undefined,
): Promise<Finished> {
  const { machine } = attempt;
  const answer = answerOf(attempt, output);
  const record = await prepare(attempt, answer.body, answer.status, output);
  if (keep) {
    const nothing = { rows: [], events: [], jobs: [], newEventId: () => machine.newId("evt") };
    const stored = { hash: keep.key, stored: keptAnswer(attempt, answer, output) };
    await unlessUnavailable(
      keep.transaction.commit({ record, ...withFindings(attempt, nothing), topics: [], answer: stored }),
    );
  } else {
    await open?.rollback();
    await recordAlone(attempt, record);
  }
  endReservation(attempt, true);
  return { answer, output, refusal: null };
}

/** Runs the handler. The items that it calls run a few at a time. */
async function carryOut(attempt: Attempt, { run, lanes }: Batches, key: string | null, tally: Tally): Promise<unknown> {
  const lane = lanes.items();
  const id = batchId(attempt, key);
  const started = new Set<Promise<unknown>>();
  const ctx: BatchContext = Object.assign(new PipelineContext(attempt), {
    id,
    call: (operation: Operation, item: BatchItem): Promise<ItemOutcome> => {
      const outcome = lane(async () => {
        const { answer } = await run(operation, itemCall(attempt, operation, item, id, key));
        return outcomeOf(attempt, item, answer, tally);
      });
      started.add(outcome);
      return outcome;
    },
  });
  attempt.times.handles = performance.now();
  try {
    return await (attempt.spec.handle as unknown as (ctx: object, given: object) => Promise<unknown>)(
      ctx,
      handlingOf(attempt),
    );
  } finally {
    // The batch does not end before its items, whatever its handler does: a repetition would meet them still running.
    await Promise.allSettled(started);
    attempt.times.handled = performance.now();
  }
}

/**
 * The id of the batch. Under an Idempotency-Key it follows from the key and the day, so that a repetition after a crash goes on under the same id; a key
 * that is used for something else again, which is possible after a day, has another one.
 */
function batchId({ machine, progress }: Attempt, key: string | null): string {
  if (key === null) return machine.newId("bat");
  const day = { now: () => Math.floor(progress.now / keptFor) * keptFor };
  return createIds(day, (buffer) => buffer.set(hash("sha512", key, "buffer")))("bat");
}

/** The call of an item: the caller's, to another address. */
function itemCall(
  attempt: Attempt,
  operation: Operation,
  { params, body, index }: BatchItem,
  batch: string,
  key: string | null,
): Call {
  const { method, path = "" } = describe(operation);
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""));
  let known: string | undefined;
  return {
    ...attempt.call,
    requestId: attempt.machine.newId("req"),
    params,
    query: attempt.dryRun ? "dry_run=true" : "",
    readBody: () => body,
    bodyLength: 0,
    bodyDigest: () => {
      known ??= digest(JSON.stringify(body));
      return known;
    },
    idempotencyKey: key === null ? null : `${key}.${index}`,
    ifMatch: null,
    ifNoneMatch: null,
    accept: null,
    prefer: null,
    lastEventId: null,
    batch,
    target: `${method} ${address}`,
  };
}

function outcomeOf(attempt: Attempt, { index }: BatchItem, answer: Answer, tally: Tally): ItemOutcome {
  const body = JSON.parse(answer.body) as unknown;
  const outcome = { status: answer.status, body, auditRef: answer.headers["Audit-Ref"] as string };
  if (answer.status >= 500) tally.failed = true;
  if (!attempt.dryRun || answer.status !== 200) return outcome;
  const { would_answer, events } = body as { would_answer: number; events: string[] };
  tally.events[index] = events;
  return { ...outcome, status: would_answer };
}
