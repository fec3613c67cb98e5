import { parseJson } from "../kernel/stored-json.ts";
import { answerOf } from "./answer.ts";
import type { Answer } from "./call.ts";
import { complyAsRead } from "./compliance.ts";
import { PipelineReadContext } from "./context.ts";
import { type CallTransaction, digestOfBody, sameBody } from "./idempotency.ts";
import type { LaterAnswer } from "./later-answer.ts";
import type { StoredAnswer } from "./ports.ts";
import { recordAlone } from "./record.ts";
import type { Reach, Settled, Validated } from "./stages.ts";

// Repetitions: a call whose Idempotency-Key has an answer already. They have passed permissions and narrowing as these are now, and pass policies as a read;
// If-Match, gate, budget and effect do not run again. Each has a record of its own.

/** Answers again what a grouped call answered, from its row; undefined where there is none, or, with `keyId`, where another key made the call. */
export async function replayAppended(
  validated: Validated,
  { hash, keyId }: { readonly hash: string; readonly keyId?: string },
  reached: Reach,
): Promise<Settled | undefined> {
  const find = validated.spec.replay as unknown as (
    ctx: object,
    hash: string,
  ) => Promise<{ bodyDigest: string; keyId: string | null; output: unknown } | undefined>;
  const earlier = await find(new PipelineReadContext(validated), hash);
  if (!earlier || (keyId !== undefined && keyId !== earlier.keyId)) return undefined;
  sameBody(earlier.bodyDigest, validated.call);
  const replayed = reached(complyAsRead(validated, reached));
  const answer = answerOf(replayed, earlier.output);
  answer.headers["Idempotent-Replayed"] = "true";
  return await recordAlone(replayed, answer, earlier.output);
}

interface Replaying {
  readonly transaction: CallTransaction;
  readonly reached: Reach;
  readonly later: LaterAnswer | null;
}

/** Answers again what was stored, or what became of it. Ends the transaction. */
export async function replayStored(
  validated: Validated,
  stored: StoredAnswer,
  { transaction, reached, later }: Replaying,
): Promise<Settled> {
  await transaction.rollback();
  const replayed = reached(complyAsRead(validated, reached));
  const { call, auditRef, spec } = validated;
  const body = stored.answer.toString();
  const headers = {
    ...validated.headers,
    ...stored.headers,
    "X-Request-Id": call.requestId,
    "Audit-Ref": auditRef,
    "Idempotent-Replayed": "true",
  };
  const answer = { status: stored.status, contentType: spec.contentType ?? "application/json", body, headers };
  const output = parseJson(body);
  if (!later) return await recordAlone(replayed, answer, output);
  const settled = await recordAlone(replayed, later.head(answer, output), output);
  return await later.complete(replayed, { ...settled, answer });
}

/** An answer as it is stored for repetition: without its secret, which is shown once. */
export function keptAnswer({ call, spec }: Validated, answer: Answer, output: unknown): StoredAnswer {
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
