import { hash } from "node:crypto";
import type { BatchContext, BatchItem, ItemOutcome } from "../kernel/context.ts";
import type { Refusal } from "../kernel/errors.ts";
import { keptFor } from "../kernel/idempotency.ts";
import { createIds } from "../kernel/ids.ts";
import type { InsideOperation, Operation } from "../kernel/operation.ts";
import { describe } from "../kernel/operation-seal.ts";
import { parseJson } from "../kernel/stored-json.ts";
import { answerOf } from "./answer.ts";
import { digest } from "./audit.ts";
import type { BatchLanes } from "./batch-lanes.ts";
import type { Answer, Call } from "./call.ts";
import { PipelineReadContext } from "./context.ts";
import { givenOf } from "./effect.ts";
import { govern } from "./govern.ts";
import { CallTransaction, claimOrReplay, idempotencyHash } from "./idempotency.ts";
import { noWrites, prepareRecord, recordAlone, rowsOf, unlessUnavailable } from "./record.ts";
import { keptAnswer, replayStored } from "./replay.ts";
import { abandon, reserve } from "./reserve.ts";
import type { Governed, Handled, Reach, Settle, Settled, Validated } from "./stages.ts";

/** What a call that the batch makes came to. */
interface Outcome {
  readonly answer: Answer;
  readonly output: unknown;
  readonly refusal: Refusal | null;
}

/** What batches of one process share: the way into the pipeline, and how much of it they may take at a time. */
export interface Batches {
  readonly run: (operation: Operation, call: Call) => Promise<Outcome>;
  readonly lanes: BatchLanes;
}

/** What the items of a batch came to. */
interface ItemsRun {
  /** What the handler made of them. */
  readonly output: unknown;
  /** Whether an item failed in a way that the same call may overcome. */
  readonly failed: boolean;
  /** What the items of a dry run would emit, in the order of the items. */
  readonly events: readonly string[];
}

/**
 * A batch: its items are calls of their own, with their own stages, record and commit; its own record and stored answer commit when all have ended.
 * Repeated, it answers what it answered. After a crash in the middle the repetition runs: items that were committed answer again what they
 * answered, by keys that follow from the batch's, and the others are carried out.
 */
export function createSettleBatch(batches: Batches): Settle {
  return async (validated, reached) => {
    const key = idempotencyHash(validated);
    return await batches.lanes.batch(() => settle(validated, reached, batches, key));
  };
}

async function settle(validated: Validated, reached: Reach, batches: Batches, key: string | null): Promise<Settled> {
  const transaction = new CallTransaction(validated);
  try {
    const stored = key === null ? undefined : await claimOrReplay(await transaction.begin(), key, validated);
    if (stored) return await replayStored(validated, stored, { transaction, reached, later: null });
    const governed = govern(validated, reached);
    const charge = await reserve(governed);
    try {
      const { output, failed } = await runItems(governed, batches, key);
      const settled = await conclude({ ...governed, charge }, output, transaction, failed ? null : key);
      charge?.end();
      return settled;
    } catch (error) {
      abandon(charge, error);
      throw error;
    }
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** Record and stored answer together; a batch that is not stored has its record alone. */
async function conclude(
  governed: Governed & Pick<Handled, "charge">,
  output: unknown,
  transaction: CallTransaction,
  key: string | null,
): Promise<Settled> {
  const answer = answerOf(governed, output);
  if (key === null) {
    await transaction.rollback();
    return await recordAlone(governed, answer, output);
  }
  const prepared = await prepareRecord(governed, answer, output);
  const stored = { hash: key, stored: keptAnswer(governed, answer, output) };
  const rows = rowsOf(governed, prepared, noWrites(governed));
  const open = await transaction.begin();
  await unlessUnavailable(open.commit({ ...rows, topics: [], answer: stored }));
  return { answer, output, object: prepared.object, events: [] };
}

/** Runs the handler. The items that it calls run a few at a time. */
export async function runItems(governed: Governed, { run, lanes }: Batches, key: string | null): Promise<ItemsRun> {
  const lane = lanes.items();
  const id = batchId(governed, key);
  const started = new Set<Promise<unknown>>();
  const events: string[][] = [];
  let failed = false;
  const ctx: BatchContext = Object.assign(new PipelineReadContext(governed), {
    id,
    call: (operation: Operation, item: BatchItem): Promise<ItemOutcome> => {
      const outcome = lane(async () => {
        const { answer } = await run(operation, itemCall(governed, operation, item, id, key));
        if (answer.status >= 500) failed = true;
        if (!governed.dryRun) return outcomeOf(answer);
        const { outcome: would, emits } = rehearsedOutcome(answer);
        events[item.index] = emits;
        return would;
      });
      started.add(outcome);
      return outcome;
    },
    record: async <I, O>(operation: InsideOperation<I, O>, input: I): Promise<O | null> => {
      if (governed.dryRun) return null;
      const { output, refusal } = await run(operation, ownCall(governed, operation, input, id));
      if (refusal) throw refusal;
      return output as O;
    },
  });
  const handle = governed.spec.handle as unknown as (ctx: object, given: object) => Promise<unknown>;
  let output: unknown;
  governed.times.handles = performance.now();
  try {
    output = await handle(ctx, givenOf(governed));
  } finally {
    // The batch does not end before its items, whatever its handler does: a repetition would meet them still running.
    await Promise.allSettled(started);
    governed.times.handled = performance.now();
  }
  return { output, failed, events: events.flat() };
}

/**
 * The id of the batch. Under an Idempotency-Key it follows from the key and the day, so that a repetition after a crash goes on under the same id; a key
 * that is used for something else again, which is possible after a day, has another one.
 */
function batchId({ machine, now }: Governed, key: string | null): string {
  if (key === null) return machine.newId("bat");
  const day = { now: () => Math.floor(now / keptFor) * keptFor };
  return createIds(day, (buffer) => buffer.set(hash("sha512", key, "buffer")))("bat");
}

/** The call of an item: the caller's, to another address. */
function itemCall(
  { machine, call, dryRun }: Governed,
  operation: Operation,
  { params, body, ifMatch, index, name, rehearsed }: BatchItem,
  batch: string,
  key: string | null,
): Call {
  const { method, path = "" } = describe(operation);
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""));
  let known: string | undefined;
  return {
    ...call,
    requestId: machine.newId("req"),
    params,
    query: dryRun || rehearsed ? "dry_run=true" : "",
    readBody: () => body,
    bodyLength: 0,
    bodyDigest: () => {
      if (body === undefined) return null;
      known ??= digest(JSON.stringify(body));
      return known;
    },
    idempotencyKey: key === null ? null : `${key}.${name ?? index}`,
    ifMatch: ifMatch ?? null,
    ifNoneMatch: null,
    accept: null,
    prefer: null,
    lastEventId: null,
    batch,
    target: `${method} ${address}`,
  };
}

/** The call by which a batch writes something down itself: the caller's, as one of machines inside. */
function ownCall({ machine, call }: Governed, operation: Operation, input: unknown, batch: string): Call {
  return {
    ...call,
    requestId: machine.newId("req"),
    params: input as Record<string, string>,
    query: "",
    readBody: () => undefined,
    bodyLength: 0,
    bodyDigest: () => null,
    idempotencyKey: null,
    ifMatch: null,
    ifNoneMatch: null,
    accept: null,
    prefer: null,
    lastEventId: null,
    batch,
    target: `INSIDE ${operation.id}`,
  };
}

function outcomeOf(answer: Answer): ItemOutcome {
  return {
    status: answer.status,
    body: parseJson(answer.body),
    auditRef: answer.headers["Audit-Ref"] as string,
  };
}

/** What an item of a dry run would come to, and the types of the events that it would emit. */
function rehearsedOutcome(answer: Answer): { outcome: ItemOutcome; emits: string[] } {
  const outcome = outcomeOf(answer);
  if (answer.status !== 200) return { outcome, emits: [] };
  const { response_status, events } = outcome.body as { response_status: number; events: string[] };
  return { outcome: { ...outcome, status: response_status }, emits: events };
}
