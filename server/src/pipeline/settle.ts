import { Refusal, refuse } from "../kernel/errors.ts";
import { callerOf } from "../kernel/principal.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import { answerOf, type Finished, headersOf, notModified } from "./answer.ts";
import { type Attempt, scopeOf } from "./stages.ts";
import { askAgain } from "./authenticate.ts";
import type { Answer } from "./call.ts";
import { settleDryRun } from "./dry-run.ts";
import { append, type Done, group, read, stream, write } from "./effect.ts";
import { chooseForm, hasForms } from "./form.ts";
import { claimOrReplay, idempotencyHash } from "./idempotency.ts";
import { endingWith } from "./limits/open-streams.ts";
import type { Transaction } from "./ports.ts";
import { prepare, recordAlone, unlessUnavailable, withFindings } from "./record.ts";
import { keptAnswer, replayAppended, replayStored } from "./replay.ts";
import { abandonReservation, endReservation, reserve } from "./reserve.ts";

// Effect, audit and answer, for each of the three ways to commit. The record is durable before the answer leaves.

export type Govern = () => void;

/** The last stages before the effect, then what it may use of budgets. Answers a promise only where there is something to wait for. */
export function governAndReserve(attempt: Attempt, govern: Govern): Promise<void> | undefined {
  govern();
  return reserve(attempt);
}

/** A read: what it found, its record, its answer, in the representation that the caller accepts. */
export async function settleRead(attempt: Attempt, govern: Govern): Promise<Finished> {
  if (hasForms(attempt.spec)) attempt.headers.Vary = "Accept";
  const form = chooseForm(attempt.spec, attempt.call.accept);
  try {
    await governAndReserve(attempt, govern);
    const finished =
      form.kind === "streamed"
        ? await begin(attempt, form.type)
        : await find(attempt, form.kind === "json" ? null : form.type);
    endReservation(attempt, true);
    return finished;
  } catch (error) {
    abandonReservation(attempt, error);
    throw error;
  }
}

async function find(attempt: Attempt, form: string | null): Promise<Finished> {
  const output = await read(attempt);
  if (attempt.spec.waitable) await askAgain(attempt);
  const answer = notModified(attempt, answerOf(attempt, output, form));
  await recordAlone(attempt, await prepare(attempt, answer.body, answer.status, output));
  return { answer, output, refusal: null };
}

/** A representation that is streamed: its record is durable before anything of it leaves, so it holds no digest of what left. */
async function begin(attempt: Attempt, type: string): Promise<Finished> {
  const leave = attempt.machine.streams.take(callerOf(attempt.progress.principal));
  try {
    const pieces = endingWith(await stream(attempt, type), leave);
    await recordAlone(attempt, await prepare(attempt, "", 200, undefined));
    const answer = { status: 200, contentType: type, body: "", headers: headersOf(attempt), stream: pieces };
    return { answer, output: undefined, refusal: null };
  } catch (error) {
    leave();
    throw error;
  }
}

/** A change in a transaction of its own: effect, events, jobs, stored answer and record commit together or not at all. */
export async function settleOwn(attempt: Attempt, govern: Govern): Promise<Finished> {
  const { machine, call, progress } = attempt;
  const repeatable = attempt.spec.method === "POST" || attempt.spec.method === "PATCH";
  const hash = repeatable ? idempotencyHash(call, scopeOf(attempt), progress.principal) : null;
  let transaction: Transaction | undefined;
  try {
    if (hash !== null && !attempt.dryRun) {
      transaction = await machine.begin(scopeOf(attempt), attempt.spec);
      const stored = await claimOrReplay(transaction, hash, call, progress.now);
      if (stored) return await replayStored(attempt, stored, transaction);
    }
    await governAndReserve(attempt, govern);
    const together = attempt.spec.together && (await settleTogether(attempt));
    if (together) return together;
    transaction ??= await machine.begin(scopeOf(attempt), attempt.spec);
    const done = await write(attempt, transaction);
    if (!attempt.dryRun) return await commitOwn(attempt, done, transaction, hash);
    endReservation(attempt, false);
    return await settleDryRun(attempt, done, transaction);
  } catch (error) {
    await transaction?.rollback();
    abandonReservation(attempt, error);
    throw error;
  }
}

/**
 * The short way of a call inside: written in one statement with the calls that wait at the same moment. Undefined where the call says that it cannot go that
 * way, and where its guard did not hold: nothing was written then, and it is made in a transaction of its own, which finds out why.
 */
async function settleTogether(attempt: Attempt): Promise<Finished | undefined> {
  const { machine } = attempt;
  const done = await group(attempt);
  if (done) {
    const answer = answerOf(attempt, done.output);
    const record = await prepare(attempt, answer.body, answer.status, done.output);
    const rows = { record, ...withFindings(attempt, done.writes) };
    if ((await unlessUnavailable(machine.recorder.append(rows))) === "written")
      return await committed(attempt, done, answer);
  }
  attempt.approvalId = null;
  attempt.reservationKept = false;
  return undefined;
}

/** Writes what belongs to the call and commits, with its stored answer where it can be repeated. */
async function commitOwn(
  attempt: Attempt,
  done: Done,
  transaction: Transaction,
  hash: string | null,
): Promise<Finished> {
  const answer = answerOf(attempt, done.output);
  const record = await prepare(attempt, answer.body, answer.status, done.output);
  const stored = hash === null ? null : { hash, stored: keptAnswer(attempt, answer, done.output) };
  await unlessUnavailable(
    transaction.commit({ record, ...withFindings(attempt, done.writes), topics: done.topics, answer: stored }),
  );
  return await committed(attempt, done, answer);
}

/** After the commit nothing may turn the answer into a failure. Facts that cannot be confirmed now go stale by themselves, and then refuse calls. */
async function committed(attempt: Attempt, { output, topics }: Done, answer: Answer): Promise<Finished> {
  const { machine, call, spec } = attempt;
  endReservation(attempt, true);
  if (topics.length > 0)
    await machine.facts.refresh().catch((error: unknown) => machine.report(error, call.requestId, spec.id));
  return { answer, output, refusal: null };
}

/** A change that only appends: written in one statement with the calls that wait at the same moment. */
export async function settleAppend(attempt: Attempt, govern: Govern): Promise<Finished> {
  const { machine, call, progress } = attempt;
  const claim = idempotencyHash(call, scopeOf(attempt), progress.principal);
  const hash = attempt.dryRun ? null : claim; // a dry run says what would happen, not what happened under that key
  try {
    const waiting = governAndReserve(attempt, govern);
    if (waiting) await waiting;
  } catch (error) {
    const earlier = hash !== null && error instanceof Refusal ? await replayAppended(attempt, hash) : undefined;
    if (earlier) return earlier; // a repetition precedes gate, compliance and budgets
    throw error;
  }
  try {
    const done = append(attempt, hash);
    if (attempt.dryRun) {
      endReservation(attempt, false);
      return await settleDryRun(attempt, done, null);
    }
    const answer = answerOf(attempt, done.output);
    const record = await prepare(attempt, answer.body, answer.status, done.output);
    const fate = await unlessUnavailable(machine.recorder.append({ record, ...withFindings(attempt, done.writes) }));
    endReservation(attempt, fate === "written");
    if (fate === "written") return { answer, output: done.output, refusal: null };
  } catch (error) {
    abandonReservation(attempt, error);
    throw error;
  }
  const earlier = hash === null ? undefined : await replayAppended(attempt, hash);
  if (earlier) return earlier;
  throw refuse(auditUnavailable, "The call lost against another one that is gone; try again.", { stage: "audit" });
}
