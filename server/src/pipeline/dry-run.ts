import { answerOf, type Finished } from "./answer.ts";
import type { Attempt } from "./stages.ts";
import { stagesOf } from "./call.ts";
import type { Done } from "./effect.ts";
import type { Transaction } from "./ports.ts";
import { prepare, recordAlone } from "./record.ts";

/**
 * `dry_run=true`: what would happen, with every stage's verdict. The handler has run, so that a wrong state is found as well; what it
 * did is undone (or, where it only appends, was never written). The record of the call itself stays.
 */
export async function settleDryRun(attempt: Attempt, done: Done, transaction: Transaction | null): Promise<Finished> {
  await transaction?.rollback();
  return await answerDryRun(
    attempt,
    done.output,
    done.writes.events.map((event) => event.type),
  );
}

/** The answer to a dry run of a call that would answer `wouldBe` and emit these events, with its record. */
export async function answerDryRun(attempt: Attempt, wouldBe: unknown, events: readonly string[]): Promise<Finished> {
  const would = answerOf(attempt, wouldBe);
  attempt.approvalId = null; // none came of it
  const output = {
    dry_run: true,
    would_answer: would.status,
    stages: stagesOf(attempt.progress),
    approval: attempt.approval,
    tags: attempt.progress.tags,
    events,
  };
  const { Location: _location, ETag: _etag, ...headers } = would.headers;
  const answer = { status: 200, contentType: "application/json", body: JSON.stringify(output), headers };
  await recordAlone(attempt, await prepare(attempt, answer.body, 200, undefined));
  return { answer, output, refusal: null };
}
