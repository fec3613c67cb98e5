import type { HeldCharge } from "../kernel/ledger.ts";
import { answerOf } from "./answer.ts";
import { stagesOf } from "./call.ts";
import { append, write } from "./effect.ts";
import { govern } from "./govern.ts";
import { CallTransaction, idempotencyHash } from "./idempotency.ts";
import { recordAlone } from "./record.ts";
import { abandon, reserve } from "./reserve.ts";
import { type Batches, runItems } from "./settle-batch.ts";
import type { Governed, Handled, Reach, Settle, Settled } from "./stages.ts";

/** What a call would answer, and the types of the events that it would emit. */
interface Rehearsed {
  readonly governed: Governed;
  readonly output: unknown;
  readonly events: readonly string[];
}

/**
 * `dry_run=true`: what would happen, with every stage's verdict. The same stages, but an Idempotency-Key claims nothing, and what the handler did is undone
 * (or, where it only appends, never written). The handler runs, so that a wrong state is found as well. The record of the call itself stays.
 */
export function createDryRun(batches: Batches): Settle {
  const settle: Settle = async (validated, reached) => {
    const key = idempotencyHash(validated);
    const governed = govern(validated, reached);
    const charge = await reserve(governed);
    let rehearsed: Rehearsed;
    try {
      if (governed.spec.kind === "batch") rehearsed = { governed, ...(await runItems(governed, batches, key)) };
      else if (governed.spec.kind === "own") rehearsed = rehearsedBy(await writeAndUndo(governed, charge, reached));
      else rehearsed = rehearsedBy(append(governed, charge, null));
    } catch (error) {
      abandon(charge, error);
      throw error;
    }
    charge?.release();
    reached(rehearsed.governed);
    return await answerDryRun(rehearsed);
  };
  return (validated, reached) => {
    if (validated.spec.kind !== "batch") return settle(validated, reached);
    return batches.lanes.batch(() => settle(validated, reached));
  };
}

async function writeAndUndo(governed: Governed, charge: HeldCharge | null, reached: Reach): Promise<Handled> {
  const transaction = new CallTransaction(governed);
  try {
    return await write(governed, charge, await transaction.begin(), reached);
  } finally {
    await transaction.rollback();
  }
}

/** No approval comes of a dry run, and it costs nothing. */
const withoutEffect = (done: Handled): Handled => ({ ...done, approvalId: null, charge: null });
const rehearsedBy = (done: Handled): Rehearsed => ({
  governed: withoutEffect(done),
  output: done.output,
  events: done.writes.events.map(({ type }) => type),
});

async function answerDryRun({ governed, output, events }: Rehearsed): Promise<Settled> {
  const would = answerOf(governed, output);
  const { approval, tags } = governed;
  const verdict = { dry_run: true, response_status: would.status, stages: stagesOf(governed), approval, tags, events };
  const told = governed.spec.kind === "batch" ? { ...verdict, result: output } : verdict;
  const { Location: _location, ETag: _etag, ...headers } = would.headers;
  const answer = { status: 200, contentType: "application/json", body: JSON.stringify(told), headers };
  return { ...(await recordAlone(governed, answer, undefined)), output: told };
}
