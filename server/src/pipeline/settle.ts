import { Refusal, refuse } from "../kernel/errors.ts";
import type { HeldCharge } from "../kernel/ledger.ts";
import { callerOf } from "../kernel/principal.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import { answerOf, headersOf, notModified } from "./answer.ts";
import { askAgain } from "./authenticate.ts";
import { append, group, read, stream, write } from "./effect.ts";
import { chooseForm } from "./form.ts";
import { govern } from "./govern.ts";
import { CallTransaction, claimOrReplay, formerKey, idempotencyHash } from "./idempotency.ts";
import { type LaterAnswer, openLaterAnswer } from "./later-answer.ts";
import { endingWith } from "./limits/open-streams.ts";
import type { Transaction } from "./ports.ts";
import { prepareRecord, recordAlone, rowsOf, settledAs, unlessUnavailable } from "./record.ts";
import { keptAnswer, replayAppended, replayStored } from "./replay.ts";
import { abandon, reserve } from "./reserve.ts";
import type { Governed, Handled, Reach, Settled, Validated } from "./stages.ts";

// Effect, audit and answer, for each of the three ways to commit. The record is durable before the answer leaves.

/** A read: what it found, its record, its answer, in the representation that the caller accepts. */
export async function settleRead(validated: Validated, reached: Reach): Promise<Settled> {
  const form = chooseForm(validated.spec, validated.call.accept);
  const governed = govern(validated, reached);
  const charge = await reserve(governed);
  try {
    return await (form.kind === "streamed"
      ? settleStream(governed, charge, form.type)
      : settleFound(governed, charge, form.kind === "json" ? null : form.type));
  } catch (error) {
    abandon(charge, error);
    throw error;
  }
}

async function settleFound(governed: Governed, charge: HeldCharge | null, form: string | null): Promise<Settled> {
  const { output, actual } = await read(governed);
  if (governed.spec.waitable) await askAgain(governed);
  const answer = notModified(governed, answerOf(governed, output, form));
  const settled = await recordAlone({ ...governed, charge, actual }, answer, output);
  charge?.end(actual);
  return settled;
}

/** A representation that is streamed: its record is durable before anything of it leaves, so it holds no digest of what left. */
async function settleStream(governed: Governed, charge: HeldCharge | null, type: string): Promise<Settled> {
  const leave = governed.machine.streams.take(callerOf(governed.principal, governed.scope));
  try {
    const pieces = endingWith(await stream(governed, type), leave);
    const answer = { status: 200, contentType: type, body: "", headers: headersOf(governed), stream: pieces };
    const settled = await recordAlone({ ...governed, charge }, answer, undefined);
    charge?.end();
    return settled;
  } catch (error) {
    leave();
    throw error;
  }
}

/** A change in a transaction of its own: effect, events, jobs, stored answer and record commit together or not at all. */
export async function settleOwn(validated: Validated, reached: Reach): Promise<Settled> {
  const hash = idempotencyHash(validated);
  const later = openLaterAnswer(validated);
  const transaction = new CallTransaction(validated);
  try {
    const stored = hash === null ? undefined : await claimOrReplay(await transaction.begin(), hash, validated);
    if (stored) return await replayStored(validated, stored, { transaction, reached, later });
    const governed = govern(validated, reached);
    const charge = await reserve(governed);
    let done: Handled | undefined;
    try {
      const together = governed.spec.together && (await settleTogether(governed, charge, reached));
      if (together) return together;
      const open = await transaction.begin();
      done = await write(governed, charge, open, reached);
      const settled = await commit(done, open, { hash, later });
      if (!done.keepsCharge) charge?.end(done.actual);
      return later ? await later.complete(done, settled) : settled;
    } catch (error) {
      abandon(charge, error, done?.actual);
      throw error;
    }
  } catch (error) {
    later?.abandon();
    await transaction.rollback();
    throw error;
  }
}

/**
 * The short way of a call inside: written in one statement with the calls that wait at the same moment. Undefined where the call says that it cannot go that
 * way, and where its guard did not hold: nothing was written then, and it is made in a transaction of its own, which finds out why.
 */
async function settleTogether(
  governed: Governed,
  charge: HeldCharge | null,
  reached: Reach,
): Promise<Settled | undefined> {
  const handled = await group(governed, charge);
  if (!handled) return undefined;
  const done = reached(handled);
  const answer = answerOf(done, done.output);
  const prepared = await prepareRecord(done, answer, done.output);
  const fate = await unlessUnavailable(done.machine.recorder.append(rowsOf(done, prepared, done.writes)));
  if (fate === "written") {
    if (!done.keepsCharge) charge?.end(done.actual);
    return settledAs(done, answer, prepared);
  }
  reached(governed);
  return undefined;
}

interface Answering {
  /** Under which the answer is stored, for repetitions; null: it is not. */
  readonly hash: string | null;
  /** Null: the answer is what the handler returned. */
  readonly later: LaterAnswer | null;
}

/** Writes what belongs to the call and commits, with its stored answer where it can be repeated. */
async function commit(done: Handled, transaction: Transaction, { hash, later }: Answering): Promise<Settled> {
  const { machine, call, spec, output, topics, writes } = done;
  const answer = answerOf(done, output);
  const prepared = await prepareRecord(done, later?.head(answer, output) ?? answer, output);
  const stored = hash === null ? null : { hash, stored: keptAnswer(done, answer, output) };
  await unlessUnavailable(transaction.commit({ ...rowsOf(done, prepared, writes), topics, answer: stored }));
  // After the commit nothing may turn the answer into a failure. Facts that cannot be confirmed now go stale by themselves, and then refuse calls.
  if (topics.length > 0)
    await machine.facts.refresh().catch((error: unknown) => machine.report(error, call.requestId, spec.id));
  return settledAs(done, answer, prepared);
}

/** A change that only appends: written in one statement with the calls that wait at the same moment. */
export async function settleGrouped(validated: Validated, reached: Reach): Promise<Settled> {
  const hash = idempotencyHash(validated);
  const replay = async () => (hash === null ? undefined : await replayAppended(validated, { hash }, reached));
  const former = formerKey(validated);
  const before = former && (await replayAppended(validated, former, reached));
  if (before) return before;
  let governed: Governed;
  let charge: HeldCharge | null;
  try {
    governed = govern(validated, reached);
    const held = reserve(governed);
    charge = held instanceof Promise ? await held : held;
  } catch (error) {
    const earlier = error instanceof Refusal ? await replay() : undefined;
    if (earlier) return earlier; // a repetition precedes gate, compliance and budgets
    throw error;
  }
  try {
    const done = reached(append(governed, charge, hash));
    const answer = answerOf(done, done.output);
    const prepared = await prepareRecord(done, answer, done.output);
    const fate = await unlessUnavailable(done.machine.recorder.append(rowsOf(done, prepared, done.writes)));
    if (fate === "written") {
      charge?.end(done.actual);
      return settledAs(done, answer, prepared);
    }
    charge?.release();
  } catch (error) {
    abandon(charge, error);
    throw error;
  }
  const earlier = await replay();
  if (earlier) return earlier;
  throw refuse(auditUnavailable, "The call lost against another one that is gone; try again.", { stage: "audit" });
}
