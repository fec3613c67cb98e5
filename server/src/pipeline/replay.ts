import { answerOf, type Finished } from "./answer.ts";
import type { Attempt } from "./stages.ts";
import type { Answer } from "./call.ts";
import { complyAsRead } from "./compliance.ts";
import { readContext } from "./effect.ts";
import { digestOfBody, sameBody } from "./idempotency.ts";
import type { StoredAnswer, Transaction } from "./ports.ts";
import { prepare, recordAlone } from "./record.ts";

// Repetitions: a call whose Idempotency-Key has an answer already. They have passed permissions and narrowing as these are now, and pass policies as a read;
// If-Match, gate, budget and effect do not run again. Each has a record of its own.

/** Answers again what a grouped call answered, from its row; undefined where there is none. */
export async function replayAppended(attempt: Attempt, hash: string): Promise<Finished | undefined> {
  const replay = attempt.spec.replay as unknown as (
    ctx: object,
    hash: string,
  ) => Promise<{ bodyDigest: string; output: unknown } | undefined>;
  const earlier = await replay(readContext(attempt), hash);
  if (!earlier) return undefined;
  sameBody(earlier.bodyDigest, attempt.call);
  admitReplay(attempt);
  const answer = answerOf(attempt, earlier.output);
  answer.headers["Idempotent-Replayed"] = "true";
  return recorded(attempt, answer, earlier.output);
}

/** Answers again what was stored. Ends the transaction. */
export async function replayStored(
  attempt: Attempt,
  stored: StoredAnswer,
  transaction: Transaction,
): Promise<Finished> {
  await transaction.rollback();
  admitReplay(attempt);
  const body = stored.answer.toString();
  const headers = {
    ...attempt.headers,
    ...stored.headers,
    "X-Request-Id": attempt.call.requestId,
    "Audit-Ref": attempt.progress.auditRef,
    "Idempotent-Replayed": "true",
  };
  const answer = { status: stored.status, contentType: attempt.spec.contentType ?? "application/json", body, headers };
  return recorded(attempt, answer, JSON.parse(body));
}

function admitReplay(attempt: Attempt): void {
  attempt.approvalId = null; // that of the repetition was never written
  complyAsRead(attempt);
  attempt.replayed = true;
}

async function recorded(attempt: Attempt, answer: Answer, output: unknown): Promise<Finished> {
  await recordAlone(attempt, await prepare(attempt, answer.body, answer.status, output));
  return { answer, output, refusal: null };
}

/** An answer as it is stored for repetition: without its secret, which is shown once. */
export function keptAnswer({ call, spec }: Attempt, answer: Answer, output: unknown): StoredAnswer {
  return {
    bodyDigest: digestOfBody(call),
    status: answer.status,
    answer: Buffer.from(spec.secret === undefined ? answer.body : withoutSecret(output as object, spec.secret)),
    headers: keptHeaders(answer.headers),
  };
}

const withoutSecret = (output: object, secret: string): string =>
  JSON.stringify({ ...output, [secret]: undefined, secret_withheld: true });

/** Headers of an answer that a repetition answers again; those of the call itself are its own. */
function keptHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === "Location" || name === "ETag"));
}
